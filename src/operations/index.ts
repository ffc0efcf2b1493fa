import type { Operations } from '../contract/operation.ts'
import { adminGetUser } from './admin/adminGetUser.ts'
import { adminListAudit } from './admin/adminListAudit.ts'
import { adminListEvents } from './admin/adminListEvents.ts'
import { adminListUsers } from './admin/adminListUsers.ts'
import { adminReplayEvents } from './admin/adminReplayEvents.ts'
import { adminRestoreUser } from './admin/adminRestoreUser.ts'
import { adminReviewLawyer } from './admin/adminReviewLawyer.ts'
import { adminSuspendUser } from './admin/adminSuspendUser.ts'
import { cancelEmailChange } from './email/cancelEmailChange.ts'
import { cancelAccountDeletion } from './account/cancelAccountDeletion.ts'
import { changePassword } from './password/changePassword.ts'
import { checkAdmin } from './admin/checkAdmin.ts'
import { checkPhone } from './phone/checkPhone.ts'
import { checkToken } from './auth/checkToken.ts'
import { confirmEmail } from './email/confirmEmail.ts'
import { confirmPhone } from './phone/confirmPhone.ts'
import { deleteProfileFile } from './profile/deleteProfileFile.ts'
import { exportAccount } from './account/exportAccount.ts'
import { getFile } from './files/getFile.ts'
import { getJwks } from './auth/getJwks.ts'
import { getProfile } from './profile/getProfile.ts'
import { listRateLimits } from './meta/listRateLimits.ts'
import { getProfileForm } from './profile/getProfileForm.ts'
import { listAccurateSpecialties } from './lookups/listAccurateSpecialties.ts'
import { listCities } from './lookups/listCities.ts'
import { listCountries } from './lookups/listCountries.ts'
import { listDegrees } from './lookups/listDegrees.ts'
import { listDigitalGuideCategories } from './lookups/listDigitalGuideCategories.ts'
import { listFunctionalCases } from './lookups/listFunctionalCases.ts'
import { listGeneralSpecialties } from './lookups/listGeneralSpecialties.ts'
import { listLanguages } from './lookups/listLanguages.ts'
import { listLookups } from './lookups/listLookups.ts'
import { listNationalities } from './lookups/listNationalities.ts'
import { listRegions } from './lookups/listRegions.ts'
import { login } from './auth/login.ts'
import { reauthenticate } from './auth/reauthenticate.ts'
import { refreshToken } from './auth/refreshToken.ts'
import { logout } from './auth/logout.ts'
import { listSessions } from './sessions/listSessions.ts'
import { revokeSession } from './sessions/revokeSession.ts'
import { revokeOtherSessions } from './sessions/revokeOtherSessions.ts'
import { receiveKeyPress } from './webhooks/receiveKeyPress.ts'
import { receiveSmsReceipt } from './webhooks/receiveSmsReceipt.ts'
import { register } from './auth/register.ts'
import { releaseEmail } from './email/releaseEmail.ts'
import { requestAccountDeletion } from './account/requestAccountDeletion.ts'
import { requestEmailVerification } from './email/requestEmailVerification.ts'
import { requestPasswordReset } from './password/requestPasswordReset.ts'
import { resetPassword } from './password/resetPassword.ts'
import { patchProfile } from './profile/patchProfile.ts'
import { undoPasswordReset } from './password/undoPasswordReset.ts'
import { updateProfile } from './profile/updateProfile.ts'

export const operations: Operations = {
  adminGetUser,
  adminListAudit,
  adminListEvents,
  adminListUsers,
  adminReplayEvents,
  adminRestoreUser,
  adminReviewLawyer,
  adminSuspendUser,
  cancelAccountDeletion,
  cancelEmailChange,
  changePassword,
  checkAdmin,
  checkPhone,
  checkToken,
  confirmEmail,
  confirmPhone,
  deleteProfileFile,
  exportAccount,
  getFile,
  getJwks,
  getProfile,
  getProfileForm,
  listRateLimits,
  listAccurateSpecialties,
  listCities,
  listCountries,
  listDegrees,
  listDigitalGuideCategories,
  listFunctionalCases,
  listGeneralSpecialties,
  listLanguages,
  listLookups,
  listNationalities,
  listRegions,
  login,
  reauthenticate,
  receiveKeyPress,
  receiveSmsReceipt,
  refreshToken,
  logout,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  register,
  releaseEmail,
  requestAccountDeletion,
  requestEmailVerification,
  requestPasswordReset,
  resetPassword,
  patchProfile,
  undoPasswordReset,
  updateProfile,
}
