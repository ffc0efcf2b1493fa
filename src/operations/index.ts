import type { Operations } from '../contract.ts'
import { adminGetUser } from './adminGetUser.ts'
import { adminListAudit } from './adminListAudit.ts'
import { adminListEvents } from './adminListEvents.ts'
import { adminListUsers } from './adminListUsers.ts'
import { adminReplayEvents } from './adminReplayEvents.ts'
import { adminRestoreUser } from './adminRestoreUser.ts'
import { adminReviewLawyer } from './adminReviewLawyer.ts'
import { adminSuspendUser } from './adminSuspendUser.ts'
import { cancelEmailChange } from './cancelEmailChange.ts'
import { cancelAccountDeletion } from './cancelAccountDeletion.ts'
import { changePassword } from './changePassword.ts'
import { checkAdmin } from './checkAdmin.ts'
import { checkPhone } from './checkPhone.ts'
import { checkToken } from './checkToken.ts'
import { confirmEmail } from './confirmEmail.ts'
import { confirmPhone } from './confirmPhone.ts'
import { deleteProfileFile } from './deleteProfileFile.ts'
import { exportAccount } from './exportAccount.ts'
import { getFile } from './getFile.ts'
import { getJwks } from './getJwks.ts'
import { getProfile } from './getProfile.ts'
import { listAccurateSpecialties } from './listAccurateSpecialties.ts'
import { listCities } from './listCities.ts'
import { listCountries } from './listCountries.ts'
import { listDegrees } from './listDegrees.ts'
import { listDigitalGuideCategories } from './listDigitalGuideCategories.ts'
import { listFunctionalCases } from './listFunctionalCases.ts'
import { listGeneralSpecialties } from './listGeneralSpecialties.ts'
import { listLanguages } from './listLanguages.ts'
import { listLookups } from './listLookups.ts'
import { listNationalities } from './listNationalities.ts'
import { listRegions } from './listRegions.ts'
import { login } from './login.ts'
import { reauthenticate } from './reauthenticate.ts'
import { refreshToken } from './refreshToken.ts'
import { logout } from './logout.ts'
import { listSessions } from './listSessions.ts'
import { revokeSession } from './revokeSession.ts'
import { revokeOtherSessions } from './revokeOtherSessions.ts'
import { register } from './register.ts'
import { releaseEmail } from './releaseEmail.ts'
import { requestAccountDeletion } from './requestAccountDeletion.ts'
import { requestEmailVerification } from './requestEmailVerification.ts'
import { requestPasswordReset } from './requestPasswordReset.ts'
import { resetPassword } from './resetPassword.ts'
import { updateProfile } from './updateProfile.ts'

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
  updateProfile,
}
