// Everything that revokes what was issued before. `prepare` stores what the revocation itself uses, and returns its request.
import { clientForm } from '../accounts/profile-forms.ts'
import {
  context,
  DAY_MS,
  emailToken,
  LONG_AGO_MS,
  prisma,
  resetToken,
  sentCode,
  stored,
  undoCode,
  undoToken,
  update,
  type Stage,
} from './stage.ts'
import { codeAt } from '../accounts/second-factors.ts'
import { PASSWORD } from '../service/world.ts'
import type { State } from './states.ts'

export type Revoke = () => Promise<number>
type Prepare = (stage: Stage) => Promise<Revoke>

const NEW_PASSWORD = 'olive3kayak'
const JSON_PATCH = 'application/merge-patch+json'

const administrator =
  (act: 'grant' | 'revoke' | 'verify' | 'suspend' | 'restore' | 'reset factors'): Prepare =>
  async ({ person: { id: accountId } }) => {
    const { administration } = context.store
    const auditContext = { subject: null, address: null, requestId: null }
    const action = { accountId, actor: 'command line', reason: 'test', auditContext } as const
    if (act === 'revoke') await update({ id: accountId }, { isAdmin: true })
    if (act === 'restore') await update({ id: accountId }, { status: 'suspended' })
    if (act === 'reset factors') await addFactors(accountId)
    return async () => {
      if (act === 'reset factors') await administration.resetFactors(action, () => [])
      else if (act === 'grant' || act === 'revoke') await administration.setAdmin(action, act === 'grant')
      else if (act === 'verify') await administration.verifyEmail(action)
      else await administration[act](action)
      return 200
    }
  }

async function addFactors(accountId: number): Promise<void> {
  await prisma.secondFactors.upsert({ where: { accountId }, create: { accountId }, update: {} })
  await update({ id: accountId }, { factorsSince: new Date() })
}

export const REVOCATIONS = {
  'reset by e-mail': async (stage) => {
    const token = await resetToken(stage)
    const json = { by: 'email', token, password: NEW_PASSWORD }
    return async () => (await stage.there('resetPassword')({ json })).status
  },
  'reset by SMS': async (stage) => {
    const { phone } = stage.person
    const otp = await sentCode(phone, 'reset')
    const json = { by: 'phone', phone, phone_code: '966', otp, password: NEW_PASSWORD }
    return async () => (await stage.there('resetPassword')({ json })).status
  },
  'undo of an e-mail change': async (stage) => {
    const { email } = stage.person
    const verifiedAt = new Date(context.clock.nowMs() - LONG_AGO_MS)
    const token = await emailToken(stage, { purpose: 'undo', email, verifiedAt }, 7 * DAY_MS + 60_000)
    return async () => (await stage.there('cancelEmailChange')({ json: { token } })).status
  },
  'undo of a reset': async (stage) => {
    const json = await undoToken(stage)
    return async () => (await stage.there('undoChanges')({ json })).status
  },
  'undo by phone': async (stage) => {
    const json = await undoCode(stage, 7 * DAY_MS + 60_000)
    return async () => (await stage.there('undoChanges')({ json })).status
  },
  'change of the password': async (stage) => {
    const json = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    return async () => (await stage.there('changePassword')({ json, token: stage.asking.token })).status
  },
  'PUT with a password': async (stage) => {
    const { email } = await stored(stage)
    const form = clientForm({ email, phone: stage.person.phone }, { password: NEW_PASSWORD })
    return async () => (await stage.there('updateProfile')({ form, token: stage.asking.token })).status
  },
  'PATCH with a password': async (stage) => {
    const raw = JSON.stringify({ password: NEW_PASSWORD })
    return async () => (await stage.there('patchProfile')({ raw, type: JSON_PATCH, token: stage.asking.token })).status
  },
  'revocation of other sessions': async (stage) => async () =>
    (await stage.there('revokeOtherSessions')({ token: stage.asking.token })).status,
  'first second factor': async (stage) => {
    const accountId = stage.person.id
    const created = await context.totp.newSecret(accountId)
    if (!created) throw new Error('there is no key for authenticator apps')
    const totpPendingSessionId = context.tokens.read(stage.asking.token).sessionId
    const pending = { totpPending: created.sealed, totpPendingSessionId }
    await prisma.secondFactors.upsert({ where: { accountId }, create: { accountId, ...pending }, update: pending })
    return async () => {
      const json = { code: codeAt(created.secret, context.clock.nowMs()) }
      return (await stage.there('confirmTotp')({ json, token: stage.asking.token })).status
    }
  },
  'request for deletion': async (stage) => {
    const json = { password: PASSWORD }
    return async () => {
      const { status } = await stage.there('requestAccountDeletion')({ json, token: stage.asking.token })
      return status === 202 ? 200 : status
    }
  },
  'release of the address': async (stage) => {
    const token = await resetToken(stage)
    await update(stage.person, { emailVerifiedAt: null, emailRecoversFrom: null })
    return async () => (await stage.there('releaseEmail')({ json: { token } })).status
  },
  suspension: administrator('suspend'),
  restoration: administrator('restore'),
  'verification by an operator': administrator('verify'),
  'reset of second factors': administrator('reset factors'),
  'grant of privileges': administrator('grant'),
  'withdrawal of privileges': administrator('revoke'),
} satisfies Record<string, Prepare>

export type Revocation = keyof typeof REVOCATIONS

/** Revocations that the asking session survives */
const ASKING_SURVIVES: readonly Revocation[] = [
  'PUT with a password',
  'PATCH with a password',
  'revocation of other sessions',
  'first second factor',
]

export function survivesAsking(revocation: Revocation): boolean {
  return ASKING_SURVIVES.includes(revocation)
}

/** Revocations that cancel a pending reset of second factors */
export const CANCEL_RESET: readonly Revocation[] = [
  'undo of an e-mail change',
  'undo of a reset',
  'undo by phone',
  'suspension',
  'reset of second factors',
  'grant of privileges',
  'withdrawal of privileges',
]

function keepsReset(revocation: Revocation): boolean {
  return !CANCEL_RESET.includes(revocation)
}

/** Revocations that a session or the password asks for */
const OF_A_SESSION: readonly Revocation[] = [
  'change of the password',
  'PUT with a password',
  'PATCH with a password',
  'revocation of other sessions',
  'first second factor',
  'request for deletion',
]

const RECOVERS = {
  survives: (revocation: Revocation) => OF_A_SESSION.includes(revocation),
  reason:
    'Survives what a session or the password asks for, because the owner needs it against a thief of either: changes of the password, PUT and PATCH with one, a revocation of other sessions, the first second factor and a request for deletion',
}

/** States that some revocations leave valid, with the reason. All others are ended by all of them. */
export const EXCEPTIONS: Partial<Record<State, { survives: (revocation: Revocation) => boolean; reason: string }>> = {
  'cancel link': {
    survives: (revocation) =>
      ['change of the password', 'PUT with a password', 'PATCH with a password', 'first second factor'].includes(
        revocation,
      ),
    reason: 'Undoes what is changed while the address is pending. The pending address ends',
  },
  'undo link': {
    survives: (revocation) => !['undo of a reset', 'undo of an e-mail change'].includes(revocation),
    reason:
      'Belongs to the owner of the previous address: otherwise, an attacker could end it with a new password. An undo by the same address ends it',
  },
  'undo of a reset by phone': {
    survives: (revocation) => !['reset by e-mail', 'undo of a reset', 'undo of an e-mail change'].includes(revocation),
    reason:
      'Belongs to the owner of the address. A reset by e-mail ends it, unless the account has a second factor, and so does an undo',
  },
  'undo code by SMS': {
    survives: (revocation) => !['reset by e-mail', 'undo of a reset', 'undo of an e-mail change'].includes(revocation),
    reason:
      'Belongs to the owner of the number before a change, like an undo link. A reset and an undo by an address that was verified before the number end it',
  },
  'former number': {
    survives: (revocation) => !/^(reset by|undo)/.test(revocation),
    reason:
      'Belongs to the owner of the previous number, like an undo link. Resets, their undo and the undo of an e-mail change end it',
  },
  'reset link': RECOVERS,
  'claim of an unverified address': RECOVERS,
  'reset code': RECOVERS,
  'code for the own number': RECOVERS,
  'link that resets second factors': RECOVERS,
  'link that keeps second factors': { survives: keepsReset, reason: 'Is valid as long as the reset is pending' },
  'pending reset of second factors': {
    survives: keepsReset,
    reason:
      'An attacker could otherwise prevent it. Only what may reveal one, or changes who recovers the account, cancels it',
  },
  'address in its waiting period': {
    survives: (revocation) => revocation.startsWith('undo') || revocation === 'verification by an operator',
    reason: 'An operator has verified it, or the undo of an earlier change restores another one',
  },
  'code for a number of no account': {
    survives: () => true,
    reason: 'Belongs to no account until one uses it',
  },
  passkey: {
    survives: (revocation) => !/^(reset|undo|suspension)/.test(revocation),
    reason:
      'A session or the password removes a second factor only with the proof that the removal requires. A reset of the password and an undo remove those that are not established: another person can have added them',
  },
  'scheduled deletion': {
    survives: () => true,
    reason: 'The owner was notified, sees it in the profile and can cancel it for 30 days',
  },
}

/** Revocations that are not possible in a state, because its address cannot reset the password */
const NO_RESET_BY_EMAIL: readonly State[] = [
  'claim of an unverified address',
  'code for an unverified address',
  'link for an unverified address',
  'consent link',
  'undo link',
  'address in its waiting period',
]

/** States of an account with second factors: the next one is not its first */
const HAS_FACTORS: readonly State[] = [
  'link that resets second factors',
  'link that keeps second factors',
  'pending reset of second factors',
]

export function isPossible(revocation: Revocation, state: State): boolean {
  if (revocation === 'undo by phone' && state === 'undo code by SMS') return false // a number has one
  if (revocation === 'reset by SMS' || revocation === 'undo by phone') return state !== 'pending number' // which cannot recover yet
  if (revocation === 'first second factor') return !HAS_FACTORS.includes(state)
  return revocation !== 'reset by e-mail' || !NO_RESET_BY_EMAIL.includes(state)
}
