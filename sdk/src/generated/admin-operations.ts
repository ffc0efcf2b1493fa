// Generated from openapi/ by `npm run generate`. Do not edit.

export const ADMIN_OPERATIONS = {
  adminListUsers: 'GET /admin/users 3456789:=>? t',
  adminGetUser: 'GET /admin/users/{user_id} 3456789:=>?D t',
  adminSuspendUser: 'POST /admin/users/{user_id}/suspend 3456789:;<=>?@D jti',
  adminRestoreUser: 'POST /admin/users/{user_id}/restore 3456789:;<=>?@D jti',
  adminResetFactors: 'POST /admin/users/{user_id}/factors/reset 3456789:;<=>?@DN jti',
  adminReviewLawyer: 'POST /admin/users/{user_id}/review 3456789:;<=>?@D jti',
  adminListAudit: 'GET /admin/audit 3456789:=>? t',
  adminListEvents: 'GET /admin/events 3456789:=>? t',
  adminReplayEvents: 'POST /admin/events/replay 3456789:;<=>?@VW jti',
} as const
