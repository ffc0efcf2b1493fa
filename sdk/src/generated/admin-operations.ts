// Generated from openapi/ by `npm run generate`. Do not edit.

export const ADMIN_OPERATIONS = {
  adminListUsers: 'GET /admin/users 3456789:=>? t',
  adminGetUser: 'GET /admin/users/{user_id} 3456789:=>?E t',
  adminSuspendUser: 'POST /admin/users/{user_id}/suspend 3456789:;<=>?@E jti',
  adminRestoreUser: 'POST /admin/users/{user_id}/restore 3456789:;<=>?@E jti',
  adminReviewLawyer: 'POST /admin/users/{user_id}/review 3456789:;<=>?@E jti',
  adminListAudit: 'GET /admin/audit 3456789:=>? t',
  adminListEvents: 'GET /admin/events 3456789:=>? t',
  adminReplayEvents: 'POST /admin/events/replay 3456789:;<=>?@UV jti',
} as const
