import type { OperationId } from '../../../src/contract/operation.ts'
import type { Example } from './document.ts'

/** Operations of a new user, which run first. */
const FIRST: readonly OperationId[] = [
  'checkPhone',
  'confirmPhone',
  'register',
  'login',
  'refreshToken',
  'updateProfile',
  'beginTotp',
  'confirmTotp',
  'renewRecoveryCodes',
  'removeTotp',
  'beginPasskey',
  'addPasskey',
  'beginPasskeyLogin',
  'loginWithPasskey',
  'beginPasskeyReauthentication',
  'reauthenticateWithPasskey',
  'renamePasskey',
  'removePasskey',
]

/** Operations that delete or invalidate data of other examples, which run last. */
const LAST: readonly OperationId[] = [
  'deleteProfileFile',
  'revokeSession',
  'revokeOtherSessions',
  'requestAccountDeletion',
  'cancelAccountDeletion',
  'changePassword',
  'requestPasswordReset',
  'releaseEmail',
  'resetPassword',
  'logout',
  'undoChanges',
]

/** Sorts examples into an order that works. Unlisted operations have the order of the document. */
export function inOrder(examples: readonly Example[]): Example[] {
  const place = ({ id }: Example): number => {
    if (FIRST.includes(id)) return FIRST.indexOf(id)
    return LAST.includes(id) ? FIRST.length + 1 + LAST.indexOf(id) : FIRST.length
  }
  return [...examples].sort((a, b) => place(a) - place(b))
}
