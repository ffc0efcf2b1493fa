import type { OperationId } from '../../../src/contract.ts'
import type { Example } from './document.ts'

/** What a user does first: send, confirm, register, log in, complete the profile. */
const FIRST: readonly OperationId[] = [
  'checkPhone',
  'confirmPhone',
  'register',
  'login',
  'refreshToken',
  'updateProfile',
]

/** What takes something away, so that other examples no longer work. */
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
]

/** The examples in the order of a user; operations that are named nowhere keep the order of the document. */
export function inOrder(examples: readonly Example[]): Example[] {
  const place = ({ id }: Example): number => {
    if (FIRST.includes(id)) return FIRST.indexOf(id)
    return LAST.includes(id) ? FIRST.length + 1 + LAST.indexOf(id) : FIRST.length
  }
  return [...examples].sort((a, b) => place(a) - place(b))
}
