// Generated from openapi/ by `npm run generate`. Do not edit.

export const ADMIN_OPERATIONS = {
  adminListUsers: 'GET /admin/users 3456789:=> t',
  adminGetUser: 'GET /admin/users/{user_id} 3456789:=>A t',
  adminSuspendUser: 'POST /admin/users/{user_id}/suspend 3456789:;<=>?A jti',
  adminRestoreUser: 'POST /admin/users/{user_id}/restore 3456789:;<=>?A jti',
  adminResetFactors: 'POST /admin/users/{user_id}/factors/reset 3456789:;<=>?AI jti',
  adminReviewLawyer: 'POST /admin/users/{user_id}/review 3456789:;<=>?A jti',
  adminListAudit: 'GET /admin/audit 3456789:=> t',
  adminListEvents: 'GET /admin/events 3456789:=> t',
  adminReplayEvents: 'POST /admin/events/replay 3456789:;<=>?ST jti',
} as const
