// Generated from openapi/ by `npm run generate`. Do not edit.

export const ADMIN_OPERATIONS = {
  adminListUsers: 'GET /admin/users 0123456789:=> token',
  adminGetUser: 'GET /admin/users/{user_id} 0123456789:=>C token',
  adminSuspendUser: 'POST /admin/users/{user_id}/suspend 0123456789:;<=>?C json token idempotent',
  adminRestoreUser: 'POST /admin/users/{user_id}/restore 0123456789:;<=>?C json token idempotent',
  adminReviewLawyer: 'POST /admin/users/{user_id}/review 0123456789:;<=>?C json token idempotent',
  adminListAudit: 'GET /admin/audit 0123456789:=> token',
  adminListEvents: 'GET /admin/events 0123456789:=> token',
  adminReplayEvents: 'POST /admin/events/replay 0123456789:;<=>?RS json token idempotent',
} as const
