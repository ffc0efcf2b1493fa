// Generated from openapi/ by `npm run generate`. Do not edit.

export const ADMIN_OPERATIONS = {
  adminListUsers: 'GET /admin/users 0123456789:=> t',
  adminGetUser: 'GET /admin/users/{user_id} 0123456789:=>C t',
  adminSuspendUser: 'POST /admin/users/{user_id}/suspend 0123456789:;<=>?C jti',
  adminRestoreUser: 'POST /admin/users/{user_id}/restore 0123456789:;<=>?C jti',
  adminReviewLawyer: 'POST /admin/users/{user_id}/review 0123456789:;<=>?C jti',
  adminListAudit: 'GET /admin/audit 0123456789:=> t',
  adminListEvents: 'GET /admin/events 0123456789:=> t',
  adminReplayEvents: 'POST /admin/events/replay 0123456789:;<=>?RS jti',
} as const
