// Generated from openapi/ by `npm run generate`. Do not edit.

export const ADMIN_OPERATIONS = {
  adminListUsers: 'GET /admin/users 3456789:=S,admin_required t',
  adminGetUser: 'GET /admin/users/{user_id} 3456789:=S,admin_required,user_unknown t',
  adminSuspendUser: 'POST /admin/users/{user_id}/suspend 3456789:;<=CS,admin_required,user_unknown jti',
  adminRestoreUser: 'POST /admin/users/{user_id}/restore 3456789:;<=CS,admin_required,user_unknown jti',
  adminResetFactors:
    'POST /admin/users/{user_id}/factors/reset 3456789:;<=CS,admin_required,user_unknown,second_factor_missing jti',
  adminReviewLawyer: 'POST /admin/users/{user_id}/review 3456789:;<=CS,admin_required,user_unknown jti',
  adminListAudit: 'GET /admin/audit 3456789:=S,admin_required t',
  adminListEvents: 'GET /admin/events 3456789:=S,admin_required t',
  adminReplayEvents: 'POST /admin/events/replay 3456789:;<=CS,admin_required,event_unknown,events_unavailable jti',
} as const
