// Generated from openapi/ by `npm run generate`. Do not edit.

import type { Operations } from '../src/contract/operation.ts'
import { cancelAccountDeletion } from '../src/operations/account/cancelAccountDeletion.ts'
import { exportAccount } from '../src/operations/account/exportAccount.ts'
import { requestAccountDeletion } from '../src/operations/account/requestAccountDeletion.ts'
import { adminGetUser } from '../src/operations/admin/adminGetUser.ts'
import { adminListAudit } from '../src/operations/admin/adminListAudit.ts'
import { adminListEvents } from '../src/operations/admin/adminListEvents.ts'
import { adminListUsers } from '../src/operations/admin/adminListUsers.ts'
import { adminReplayEvents } from '../src/operations/admin/adminReplayEvents.ts'
import { adminResetFactors } from '../src/operations/admin/adminResetFactors.ts'
import { adminRestoreUser } from '../src/operations/admin/adminRestoreUser.ts'
import { adminReviewLawyer } from '../src/operations/admin/adminReviewLawyer.ts'
import { adminSuspendUser } from '../src/operations/admin/adminSuspendUser.ts'
import { checkAdmin } from '../src/operations/admin/checkAdmin.ts'
import { checkToken } from '../src/operations/auth/checkToken.ts'
import { getJwks } from '../src/operations/auth/getJwks.ts'
import { login } from '../src/operations/auth/login.ts'
import { logout } from '../src/operations/auth/logout.ts'
import { reauthenticate } from '../src/operations/auth/reauthenticate.ts'
import { refreshToken } from '../src/operations/auth/refreshToken.ts'
import { register } from '../src/operations/auth/register.ts'
import { undoChanges } from '../src/operations/auth/undoChanges.ts'
import { cancelEmailChange } from '../src/operations/email/cancelEmailChange.ts'
import { confirmEmail } from '../src/operations/email/confirmEmail.ts'
import { releaseEmail } from '../src/operations/email/releaseEmail.ts'
import { requestEmailVerification } from '../src/operations/email/requestEmailVerification.ts'
import { beginTotp } from '../src/operations/factors/beginTotp.ts'
import { cancelFactorReset } from '../src/operations/factors/cancelFactorReset.ts'
import { confirmFactorReset } from '../src/operations/factors/confirmFactorReset.ts'
import { confirmTotp } from '../src/operations/factors/confirmTotp.ts'
import { getFactors } from '../src/operations/factors/getFactors.ts'
import { removeTotp } from '../src/operations/factors/removeTotp.ts'
import { renewRecoveryCodes } from '../src/operations/factors/renewRecoveryCodes.ts'
import { requestFactorReset } from '../src/operations/factors/requestFactorReset.ts'
import { getFile } from '../src/operations/files/getFile.ts'
import { listAccurateSpecialties } from '../src/operations/lookups/listAccurateSpecialties.ts'
import { listCities } from '../src/operations/lookups/listCities.ts'
import { listCountries } from '../src/operations/lookups/listCountries.ts'
import { listDegrees } from '../src/operations/lookups/listDegrees.ts'
import { listDigitalGuideCategories } from '../src/operations/lookups/listDigitalGuideCategories.ts'
import { listFunctionalCases } from '../src/operations/lookups/listFunctionalCases.ts'
import { listGeneralSpecialties } from '../src/operations/lookups/listGeneralSpecialties.ts'
import { listLanguages } from '../src/operations/lookups/listLanguages.ts'
import { listLookups } from '../src/operations/lookups/listLookups.ts'
import { listNationalities } from '../src/operations/lookups/listNationalities.ts'
import { listRegions } from '../src/operations/lookups/listRegions.ts'
import { listRateLimits } from '../src/operations/meta/listRateLimits.ts'
import { addPasskey } from '../src/operations/passkeys/addPasskey.ts'
import { beginPasskey } from '../src/operations/passkeys/beginPasskey.ts'
import { beginPasskeyLogin } from '../src/operations/passkeys/beginPasskeyLogin.ts'
import { beginPasskeyReauthentication } from '../src/operations/passkeys/beginPasskeyReauthentication.ts'
import { loginWithPasskey } from '../src/operations/passkeys/loginWithPasskey.ts'
import { reauthenticateWithPasskey } from '../src/operations/passkeys/reauthenticateWithPasskey.ts'
import { removePasskey } from '../src/operations/passkeys/removePasskey.ts'
import { renamePasskey } from '../src/operations/passkeys/renamePasskey.ts'
import { changePassword } from '../src/operations/password/changePassword.ts'
import { requestPasswordReset } from '../src/operations/password/requestPasswordReset.ts'
import { resetPassword } from '../src/operations/password/resetPassword.ts'
import { checkPhone } from '../src/operations/phone/checkPhone.ts'
import { confirmPhone } from '../src/operations/phone/confirmPhone.ts'
import { deleteProfileFile } from '../src/operations/profile/deleteProfileFile.ts'
import { getProfile } from '../src/operations/profile/getProfile.ts'
import { getProfileForm } from '../src/operations/profile/getProfileForm.ts'
import { patchProfile } from '../src/operations/profile/patchProfile.ts'
import { updateProfile } from '../src/operations/profile/updateProfile.ts'
import { listSessions } from '../src/operations/sessions/listSessions.ts'
import { revokeOtherSessions } from '../src/operations/sessions/revokeOtherSessions.ts'
import { revokeSession } from '../src/operations/sessions/revokeSession.ts'
import { receiveKeyPress } from '../src/operations/webhooks/receiveKeyPress.ts'
import { receiveSmsReceipt } from '../src/operations/webhooks/receiveSmsReceipt.ts'

export const operations: Operations = {
  cancelAccountDeletion,
  exportAccount,
  requestAccountDeletion,
  adminGetUser,
  adminListAudit,
  adminListEvents,
  adminListUsers,
  adminReplayEvents,
  adminResetFactors,
  adminRestoreUser,
  adminReviewLawyer,
  adminSuspendUser,
  checkAdmin,
  checkToken,
  getJwks,
  login,
  logout,
  reauthenticate,
  refreshToken,
  register,
  undoChanges,
  cancelEmailChange,
  confirmEmail,
  releaseEmail,
  requestEmailVerification,
  beginTotp,
  cancelFactorReset,
  confirmFactorReset,
  confirmTotp,
  getFactors,
  removeTotp,
  renewRecoveryCodes,
  requestFactorReset,
  getFile,
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
  listRateLimits,
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  beginPasskeyReauthentication,
  loginWithPasskey,
  reauthenticateWithPasskey,
  removePasskey,
  renamePasskey,
  changePassword,
  requestPasswordReset,
  resetPassword,
  checkPhone,
  confirmPhone,
  deleteProfileFile,
  getProfile,
  getProfileForm,
  patchProfile,
  updateProfile,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  receiveKeyPress,
  receiveSmsReceipt,
}
