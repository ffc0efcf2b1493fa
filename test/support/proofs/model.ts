// The order of proofs as a reference for its matrix: who has the account in the end. It knows nothing of the code.
import type { bindings } from '../../../generated/operations.ts'
import type { OperationId } from '../../../src/contract/operation.ts'

/** What an owner has, all of it established: the number is older than the address */
const VICTIMS = ['number', 'number and address', 'number, address and app'] as const
const THIEVES = [
  'fresh session',
  'old session',
  'fresh session and code',
  'password',
  'number',
  'mailbox',
  'password and mailbox',
] as const

/** What a thief does in a session, and the operations that do it. */
const ACTS = {
  'another address': ['updateProfile'],
  'another number': ['patchProfile'],
  'another password': ['changePassword'],
  'a password in the profile': ['updateProfile', 'patchProfile'],
  'a passkey': ['addPasskey'],
  'an app': ['confirmTotp'],
  'no app': ['removeTotp', 'removePasskey'],
  'other recovery codes': ['renewRecoveryCodes'],
  'no other session': ['revokeOtherSessions', 'revokeSession'],
  'a deletion': ['requestAccountDeletion'],
} as const satisfies Record<string, readonly OperationId[]>
export type Act = keyof typeof ACTS

/** All other operations. Those in front of the first line begin, prove, cancel or undo, or are of support; the others change no proof. */
export const OTHERS = {
  entry: ['register', 'login', 'loginWithPasskey', 'refreshToken', 'reauthenticate', 'reauthenticateWithPasskey'],
  recovery: ['requestPasswordReset', 'resetPassword', 'releaseEmail', 'requestFactorReset', 'confirmFactorReset'],
  proof: ['requestEmailVerification', 'confirmEmail', 'checkPhone', 'confirmPhone', 'beginTotp', 'beginPasskey'],
  end: ['undoChanges', 'cancelEmailChange', 'cancelFactorReset', 'cancelAccountDeletion', 'logout'],
  support: ['adminSuspendUser', 'adminRestoreUser', 'adminResetFactors', 'adminReviewLawyer'],
  none: [
    'beginPasskeyLogin',
    'beginPasskeyReauthentication',
    'renamePasskey',
    'deleteProfileFile',
    'adminReplayEvents',
    'receiveSmsReceipt',
    'receiveKeyPress',
  ],
} as const satisfies Record<string, readonly OperationId[]>

type Listed = (typeof ACTS)[Act][number] | (typeof OTHERS)[keyof typeof OTHERS][number]
type Read = { [Id in OperationId]: (typeof bindings)[Id]['method'] extends 'GET' ? Id : never }[OperationId]
type Missing = Exclude<OperationId, Listed | Read>
/** A new operation needs a place in one of the lists, unless it only reads. */
export const IS_COMPLETE: [Missing] extends [never] ? true : Missing = true

const acts = Object.keys(ACTS) as Act[] // Object.keys loses the type of the keys

/**
 * What a thief has and does, when the owner acts, and whether the owner uses the proof of the last notice before resetting the password;
 * those who have support in between were suspended until then.
 */
export const AXES = {
  victim: VICTIMS,
  thief: THIEVES,
  first: acts,
  second: [...acts, 'nothing more'],
  hours: ['0', '24', '73', '144', '192'],
  support: ['without support', 'with support'],
  by: ['an undo', 'a reset alone'],
} as const

export type Cell = Readonly<{
  victim: (typeof VICTIMS)[number]
  thief: (typeof THIEVES)[number]
  first: Act
  second: Act | 'nothing more'
  hours: string
  support: string
  by: string
}>

const UNDO_HOURS = 168
const WAITING_HOURS = 72
const hasApp = ({ victim }: Cell): boolean => victim.includes('app')
const hasAddress = ({ victim }: Cell): boolean => victim.includes('address')

/** Whether a thief has a session: an identifier or the password alone opens no account with an app. */
export function hasSession(cell: Cell): boolean {
  if (cell.thief.includes('session')) return true
  return !hasApp(cell) && (cell.thief !== 'mailbox' || hasAddress(cell))
}

/** Clients of the interface send no password with an update of the profile. */
const NEEDS_NO_PASSWORD: readonly Cell['second'][] = [
  ...(['another address', 'another number', 'a password in the profile'] as const),
  'no other session',
]
const isFactor = (act: Cell['second']): boolean => act === 'a passkey' || act === 'an app'

/** Whether a thief with a session can do something, if it is the second act after the first one. */
export function isPossible(act: Cell['second'], cell: Cell, isSecond = false): boolean {
  const { thief, victim, first } = cell
  if (act === 'nothing more' || !hasSession(cell) || thief === 'old session') return false
  // an account without an established identifier can add no factor
  if (isSecond && isFactor(act) && victim === 'number' && first === 'another number') return false
  if (NEEDS_NO_PASSWORD.includes(act)) return true
  const knowsPassword = !thief.includes('session') || (isSecond && first === 'a password in the profile')
  const hasOwnApp = hasApp(cell) && !(isSecond && first === 'no app' && thief.includes('code'))
  if (!hasOwnApp || act === 'another password' || act === 'a deletion') return knowsPassword
  return thief.includes('code') && !(isSecond && first === 'an app') // the proof of an established factor
}

/** The older of the identifiers that only the owner has, which undoes and recovers; undefined if the thief has all */
export function ownersIdentifier(cell: Cell): 'number' | 'address' | undefined {
  if (cell.thief !== 'number') return 'number'
  return hasAddress(cell) ? 'address' : undefined
}

function listDone(cell: Cell): Cell['second'][] {
  return [cell.first, cell.second].filter((act, index) => isPossible(act, cell, index === 1))
}

/**
 * Whether the owner has the account in the end: whenever the thief is out. A reset in the days of an undo also removes the factors of the
 * thief, but a replaced identifier resets nothing after the waiting period of the new one.
 */
export function isOwnerIn(cell: Cell): boolean {
  const identifier = ownersIdentifier(cell)
  if (!identifier) return false
  if (isThiefOut(cell)) return true
  const done = listDone(cell)
  const isReplaced = cell.support === 'without support' && done.includes(`another ${identifier}`)
  if (Number(cell.hours) < UNDO_HOURS && !isReplaced) return true
  // Later, only the password or the identifier is left, and a factor of the thief is established.
  const ownsApp = hasApp(cell) && !done.includes('no app') && !done.includes('an app')
  const hasThiefs = done.some((act, index) => act === 'a passkey' || (act === 'an app' && done[index + 1] !== 'no app'))
  if (hasThiefs && !ownsApp) return false
  const isResetByThief = hasSession(cell) && (cell.thief === 'number' || cell.thief === 'mailbox')
  if (!isResetByThief && !done.some((act) => act.includes('password'))) return true
  // A suspension in the waiting period has restored what was replaced.
  return !isReplaced
}

/** The thief is out after an undo, and after a reset while what replaced an identifier of the owner still waits. */
export function isThiefOut(cell: Cell): boolean {
  if (!ownersIdentifier(cell)) return false
  const hours = Number(cell.hours)
  if (cell.by === 'an undo' || hours >= UNDO_HOURS) return hours < UNDO_HOURS
  const isSettled = hours >= WAITING_HOURS && cell.support === 'without support'
  return !isSettled || !listDone(cell).some((act) => act === 'another address' || act === 'another number')
}

/** Whether the app of the owner is in place in the end. Only an undo restores what a thief has removed or replaced. */
export function keepsApp(cell: Cell): boolean {
  return cell.by === 'an undo' || !listDone(cell).some((act) => act === 'no app' || act === 'an app')
}
