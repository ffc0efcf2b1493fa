// Generated from openapi/ by `npm run generate`. Do not edit.

/**
 * What a request needs: `token` if it sends the access token, `tokens` if the response contains new ones, and
 * `idempotent` if it takes an `Idempotency-Key`.
 */
export const OPERATIONS = {
  register: {
    method: 'POST',
    path: '/api/v1/auth/register',
    body: 'json',
    tokens: true,
    idempotent: true,
  },
  login: {
    method: 'POST',
    path: '/api/v1/auth/login',
    body: 'json',
    tokens: true,
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/api/v1/auth/forgot-password',
    body: 'json',
    idempotent: true,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/v1/auth/reset-password',
    body: 'json',
  },
  undoPasswordReset: {
    method: 'POST',
    path: '/api/v1/auth/reset-password/undo',
    body: 'json',
  },
  releaseEmail: {
    method: 'POST',
    path: '/api/v1/auth/email/release',
    body: 'json',
  },
  checkToken: {
    method: 'GET',
    path: '/api/v1/auth/check',
    token: true,
  },
  requestEmailVerification: {
    method: 'POST',
    path: '/api/v1/auth/email/verify',
    body: 'json',
    token: true,
  },
  confirmEmail: {
    method: 'POST',
    path: '/api/v1/auth/email/confirm',
    body: 'json',
    token: true,
  },
  cancelEmailChange: {
    method: 'POST',
    path: '/api/v1/auth/email/cancel',
    body: 'json',
    token: true,
  },
  checkPhone: {
    method: 'POST',
    path: '/api/v1/auth/check-phone',
    body: 'json',
    idempotent: true,
  },
  confirmPhone: {
    method: 'POST',
    path: '/api/v1/auth/confirm-phone',
    body: 'json',
  },
  refreshToken: {
    method: 'POST',
    path: '/api/v1/auth/refresh',
    body: 'json',
    tokens: true,
  },
  reauthenticate: {
    method: 'POST',
    path: '/api/v1/auth/reauthenticate',
    body: 'json',
    token: true,
    tokens: true,
  },
  logout: {
    method: 'POST',
    path: '/api/v1/auth/logout',
    token: true,
  },
  listSessions: {
    method: 'GET',
    path: '/api/v1/auth/sessions',
    token: true,
  },
  revokeOtherSessions: {
    method: 'DELETE',
    path: '/api/v1/auth/sessions',
    token: true,
  },
  revokeSession: {
    method: 'DELETE',
    path: '/api/v1/auth/sessions/{session_id}',
    token: true,
  },
  getJwks: {
    method: 'GET',
    path: '/api/v1/auth/jwks',
  },
  checkAdmin: {
    method: 'GET',
    path: '/api/v1/admin/check',
    token: true,
  },
  adminListUsers: {
    method: 'GET',
    path: '/api/v1/admin/users',
    token: true,
  },
  adminGetUser: {
    method: 'GET',
    path: '/api/v1/admin/users/{user_id}',
    token: true,
  },
  adminSuspendUser: {
    method: 'POST',
    path: '/api/v1/admin/users/{user_id}/suspend',
    body: 'json',
    token: true,
    idempotent: true,
  },
  adminRestoreUser: {
    method: 'POST',
    path: '/api/v1/admin/users/{user_id}/restore',
    body: 'json',
    token: true,
    idempotent: true,
  },
  adminReviewLawyer: {
    method: 'POST',
    path: '/api/v1/admin/users/{user_id}/review',
    body: 'json',
    token: true,
    idempotent: true,
  },
  adminListAudit: {
    method: 'GET',
    path: '/api/v1/admin/audit',
    token: true,
  },
  adminListEvents: {
    method: 'GET',
    path: '/api/v1/admin/events',
    token: true,
  },
  adminReplayEvents: {
    method: 'POST',
    path: '/api/v1/admin/events/replay',
    body: 'json',
    token: true,
    idempotent: true,
  },
  getProfile: {
    method: 'GET',
    path: '/api/v1/profile',
    token: true,
  },
  updateProfile: {
    method: 'PUT',
    path: '/api/v1/profile',
    body: 'form',
    token: true,
  },
  patchProfile: {
    method: 'PATCH',
    path: '/api/v1/profile',
    body: 'json',
    token: true,
  },
  getProfileForm: {
    method: 'GET',
    path: '/api/v1/profile/form',
  },
  changePassword: {
    method: 'POST',
    path: '/api/v1/profile/password',
    body: 'json',
    token: true,
    tokens: true,
  },
  requestAccountDeletion: {
    method: 'POST',
    path: '/api/v1/account/deletion',
    body: 'json',
    token: true,
  },
  cancelAccountDeletion: {
    method: 'DELETE',
    path: '/api/v1/account/deletion',
    token: true,
  },
  exportAccount: {
    method: 'GET',
    path: '/api/v1/account/export',
    token: true,
  },
  listRateLimits: {
    method: 'GET',
    path: '/api/v1/meta/limits',
  },
  listLookups: {
    method: 'GET',
    path: '/api/v1/lookups',
  },
  listCountries: {
    method: 'GET',
    path: '/api/v1/lookups/countries',
  },
  listRegions: {
    method: 'GET',
    path: '/api/v1/lookups/regions',
  },
  listCities: {
    method: 'GET',
    path: '/api/v1/lookups/cities',
  },
  listNationalities: {
    method: 'GET',
    path: '/api/v1/lookups/nationalities',
  },
  listDegrees: {
    method: 'GET',
    path: '/api/v1/lookups/degrees',
  },
  listGeneralSpecialties: {
    method: 'GET',
    path: '/api/v1/lookups/general-specialties',
  },
  listAccurateSpecialties: {
    method: 'GET',
    path: '/api/v1/lookups/accurate-specialties',
  },
  listFunctionalCases: {
    method: 'GET',
    path: '/api/v1/lookups/functional-cases',
  },
  listLanguages: {
    method: 'GET',
    path: '/api/v1/lookups/languages',
  },
  listDigitalGuideCategories: {
    method: 'GET',
    path: '/api/v1/lookups/digital-guide-categories',
  },
  deleteProfileFile: {
    method: 'DELETE',
    path: '/api/v1/profile/files/{kind}',
    token: true,
  },
  getFile: {
    method: 'GET',
    path: '/api/v1/files/{file_id}',
    token: true,
  },
} as const
