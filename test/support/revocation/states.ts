// Everything that is issued for an account, or pending: how a test issues it, and finds whether it still works.
import type { OperationId } from '../../../src/contract/operation.ts'
import { loginAssertion, newPasskey } from '../accounts/authenticator.ts'
import { newAddress } from '../accounts/emails.ts'
import { clientRegistration } from '../accounts/registrations.ts'
import { giveFile, PDF } from '../files/files.ts'
import {
  context,
  DAY_MS,
  emailToken,
  LONG_AGO_MS,
  newSession,
  prisma,
  resetToken,
  sentCode,
  sentEmailCode,
  stored,
  undoCode,
  undoToken,
  update,
  type Session,
  type Stage,
} from './stage.ts'

/** Uses a state once, and returns whether it worked. */
export type Use = () => Promise<boolean>
/** Issues a state. `holder` is the session that uses it; undefined for states that need no session. */
type Issue<Holder = Session> = (stage: Stage, holder: Holder) => Promise<Use>

const PASSWORD = 'a third horse battery'
const UNDO_MS = 7 * DAY_MS

const works =
  (stage: Stage, id: OperationId, sent: object): Use =>
  async () =>
    (await stage.here(id)(sent)).status < 300

/** Returns whether a code works in a new session, after the session that it was used in has ended. */
async function worksLater(stage: Stage, code: string): Promise<boolean> {
  const { sessionId, token } = await newSession(stage.person.id)
  const confirmed = await works(stage, 'confirmEmail', { token, json: { by: 'code', code } })()
  await prisma.session.delete({ where: { id: sessionId } })
  return confirmed
}

async function unverify(stage: Stage): Promise<string> {
  await update(stage.person, { emailVerifiedAt: null, emailRecoversFrom: null })
  return (await stored(stage)).email
}

async function pend(stage: Stage): Promise<string> {
  const email = newAddress()
  await update(stage.person, { pendingEmail: email })
  return email
}

/** Replaces the address of the account, which is older than its number, and returns the link that undoes it. */
async function changed(stage: Stage): Promise<string> {
  const { email } = stage.person
  const nowMs = context.clock.nowMs()
  const [emailVerifiedAt, emailRecoversFrom] = [new Date(nowMs), new Date(nowMs + 3 * DAY_MS)]
  await update(stage.person, {
    email: newAddress(),
    emailVerifiedAt,
    emailRecoversFrom,
    emailChangedAt: emailVerifiedAt,
  })
  const verifiedAt = new Date(nowMs - LONG_AGO_MS - DAY_MS)
  return emailToken(stage, { purpose: 'undo', email, verifiedAt }, UNDO_MS)
}

/** Schedules a reset of the second factors. Returns its time. */
async function resetFactors(stage: Stage): Promise<Date> {
  const nowMs = context.clock.nowMs()
  const factorsResetAt = new Date(nowMs + 3 * DAY_MS)
  await update(stage.person, { factorsSince: new Date(nowMs), factorsResetAt })
  return factorsResetAt
}

/** States that are used with a session */
const IN_A_SESSION = {
  'access token': async (stage, { token }) => works(stage, 'checkToken', { token }),
  'refresh token': async (stage, { refresh }) => works(stage, 'refreshToken', { json: { refresh_token: refresh } }),
  'refresh token after a lost response': async (stage, { refresh }) => {
    const retry = works(stage, 'refreshToken', { json: { refresh_token: refresh } })
    if (!(await retry())) throw new Error('the first exchange failed')
    return retry
  },
  'link to a confidential file': async (stage, { sessionId }) => {
    const id = await giveFile(stage.world, stage.person.id, 'cv_file', PDF)
    const { searchParams } = new URL(context.fileLinks.linkTo({ id, kind: 'cv_file' }, sessionId), 'http://x')
    return works(stage, 'getFile', { path: { file_id: id }, query: Object.fromEntries(searchParams) })
  },
  'code for a pending address': async (stage, { token }) => {
    const code = await sentEmailCode(stage, await pend(stage))
    return works(stage, 'confirmEmail', { token, json: { by: 'code', code } })
  },
  'code for an unverified address': async (stage, { token }) => {
    const code = await sentEmailCode(stage, await unverify(stage))
    const confirm = works(stage, 'confirmEmail', { token, json: { by: 'code', code } })
    return async () => (await confirm()) || worksLater(stage, code)
  },
  'outcome of a registration': async (stage, { sessionId }) => {
    const key = crypto.randomUUID()
    const json = clientRegistration()
    const headers = { 'idempotency-key': key }
    const registered = await stage.here('register')({ json, headers })
    const made = await prisma.account.findUniqueOrThrow({ where: { email: json['email'] ?? '' } })
    if (registered.status !== 201) throw new Error(JSON.stringify(registered.body))
    await prisma.idempotencyKey.updateMany({
      where: { sessionId: (await prisma.session.findFirstOrThrow({ where: { accountId: made.id } })).id },
      data: { sessionId },
    })
    return async () => (await stage.here('register')({ json, headers })).status === 201
  },
} satisfies Record<string, Issue>

/** Links that can be used with a session and without one */
const LINKS = {
  'link for a pending address': async (stage, holder) => {
    const token = await emailToken(stage, { purpose: 'verify', email: await pend(stage) })
    return works(stage, 'confirmEmail', { token: holder?.token, json: { by: 'token', token } })
  },
  'link for an unverified address': async (stage, holder) => {
    const token = await emailToken(stage, { purpose: 'verify', email: await unverify(stage) })
    return works(stage, 'confirmEmail', { token: holder?.token, json: { by: 'token', token } })
  },
  'cancel link': async (stage, holder) => {
    await pend(stage)
    const { email } = stage.person
    const token = await emailToken(stage, { purpose: 'cancel', email, verifiedAt: new Date(0) })
    return works(stage, 'cancelEmailChange', { token: holder?.token, json: { token } })
  },
  'consent link': async (stage, holder) => {
    const { email } = await stored(stage)
    await update(stage.person, { emailRecoversFrom: new Date(context.clock.nowMs() + DAY_MS) })
    const token = await emailToken(stage, { purpose: 'consent', email })
    return works(stage, 'confirmEmail', { token: holder?.token, json: { by: 'token', token } })
  },
  'undo link': async (stage, holder) => {
    const token = await changed(stage)
    return works(stage, 'cancelEmailChange', { token: holder?.token, json: { token } })
  },
} satisfies Record<string, Issue<Session | undefined>>

/** States that are used without a session */
const ALONE = {
  'reset link': async (stage) => {
    const verified = new Date(context.clock.nowMs() - LONG_AGO_MS)
    await update(stage.person, { emailVerifiedAt: verified, emailRecoversFrom: verified })
    const token = await resetToken(stage)
    return works(stage, 'resetPassword', { json: { by: 'email', token, password: PASSWORD } })
  },
  'claim of an unverified address': async (stage) => {
    await unverify(stage)
    const json = { by: 'email', token: await resetToken(stage), password: PASSWORD }
    return async () => {
      const { status, body } = await stage.here('resetPassword')({ json })
      return status === 429 || !('token' in (body.data.codes ?? {})) // 429: a code was sent to the number just now
    }
  },
  passkey: async (stage) => {
    const { token } = stage.asking
    const { passkey, json } = await newPasskey(stage.world, token)
    const { status, body } = await stage.here('addPasskey')({ token, json })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return async () => works(stage, 'loginWithPasskey', { json: await loginAssertion(stage.world, passkey) })()
  },
  'reset code': async (stage) => {
    const { phone } = stage.person
    const otp = await sentCode(phone, 'reset')
    return works(stage, 'resetPassword', {
      json: { by: 'phone', phone, phone_code: '966', otp, password: PASSWORD },
    })
  },
  'code for the own number': async (stage) => {
    const { phone } = stage.person
    const otp = await sentCode(phone, 'verification')
    return works(stage, 'confirmPhone', { json: { phone, phone_code: '966', otp } })
  },
  'pending address': async (stage) => {
    const email = await pend(stage)
    return async () => (await stored(stage)).pendingEmail === email
  },
  'undo of a reset by phone': async (stage) => works(stage, 'undoChanges', { json: await undoToken(stage) }),
  'undo code by SMS': async (stage) => works(stage, 'undoChanges', { json: await undoCode(stage) }),
  'pending number': async (stage) => {
    const nowMs = context.clock.nowMs()
    const [phoneChangedAt, phoneRecoversFrom] = [new Date(nowMs), new Date(nowMs + 3 * DAY_MS)]
    await update(stage.person, { phoneChangedAt, phoneVerifiedAt: phoneChangedAt, phoneRecoversFrom })
    return async () => (await stored(stage)).phoneVerifiedAt !== null
  },
  'address in its waiting period': async (stage) => {
    const nowMs = context.clock.nowMs()
    const [formerEmail, formerEmailVerifiedAt] = [newAddress(), new Date(nowMs - LONG_AGO_MS)]
    const [emailVerifiedAt, emailRecoversFrom] = [new Date(nowMs), new Date(nowMs + 3 * DAY_MS)]
    const former = { formerEmail, formerEmailVerifiedAt, formerEmailRecoversFrom: formerEmailVerifiedAt }
    const changed = { emailVerifiedAt, emailRecoversFrom, emailChangedAt: emailVerifiedAt }
    await update(stage.person, { ...changed, ...former, formerEmailUntil: emailRecoversFrom })
    return async () => (await stored(stage)).email !== formerEmail
  },
  'enrollment code': async (stage) => {
    const codeHash = context.enrollmentCodes.hash('K7QD2MXAR5TBWJ4E')
    const expiresAt = new Date(context.clock.nowMs() + DAY_MS)
    await prisma.enrollmentCode.create({ data: { accountId: stage.person.id, codeHash, expiresAt } })
    return async () => (await prisma.enrollmentCode.count({ where: { accountId: stage.person.id } })) === 1
  },
  'former number': async (stage) => {
    const phone = `+966${stage.world.newPhone().slice(1)}`
    const recoversUntil = new Date(context.clock.nowMs() + 2 * DAY_MS)
    const former = { phone, phoneCode: '966', accountId: stage.person.id, verifiedAt: new Date(), recoversUntil }
    await prisma.formerPhone.create({ data: former })
    return async () => (await prisma.formerPhone.count({ where: { phone } })) === 1
  },
  "outcome of an administrator's request": async (stage) => {
    const id = crypto.randomUUID().slice(0, 22)
    const now = new Date()
    const outcome = { id, fingerprint: id, claim: crypto.randomUUID(), createdAt: now, claimedAt: now, finishedAt: now }
    await prisma.idempotencyKey.create({ data: { ...outcome, accountId: stage.person.id } })
    return async () => (await prisma.idempotencyKey.count({ where: { id } })) === 1
  },
  'code for a number of no account': async (stage) => {
    const phone = stage.world.newPhone()
    const otp = await sentCode(phone, 'verification')
    return works(stage, 'confirmPhone', { json: { phone, phone_code: '966', otp } })
  },
  'link that resets second factors': async (stage) => {
    const { email, phone } = stage.person
    const verified = new Date(context.clock.nowMs() - LONG_AGO_MS)
    await update(stage.person, { factorsSince: verified })
    const token = await emailToken(stage, { purpose: 'reset_factors', email })
    return works(stage, 'confirmFactorReset', { json: { token, otp: await sentCode(phone, 'reset', 'factor_reset') } })
  },
  'link that keeps second factors': async (stage) => {
    const expiresAt = await resetFactors(stage)
    const token = await emailToken(stage, { purpose: 'keep_factors', email: stage.person.email, expiresAt })
    return works(stage, 'cancelFactorReset', { json: { token } })
  },
  'pending reset of second factors': async (stage) => {
    await resetFactors(stage)
    return async () => (await stored(stage)).factorsResetAt !== null
  },
  'scheduled deletion': async (stage) => {
    await update(stage.person, { deletionDueAt: new Date(context.clock.nowMs() + DAY_MS) })
    return async () => (await stored(stage)).deletionDueAt !== null
  },
} satisfies Record<string, Issue<undefined>>

export type State = keyof typeof IN_A_SESSION | keyof typeof LINKS | keyof typeof ALONE
export const STATES = Object.keys({ ...IN_A_SESSION, ...LINKS, ...ALONE }) as State[]

/** Returns whether a state can be used with a session, or without one. */
export function isUsable(state: State, withSession: boolean): boolean {
  return !Object.hasOwn(withSession ? ALONE : IN_A_SESSION, state)
}

export function issue(state: State, stage: Stage, holder: Session | undefined): Promise<Use> {
  const all: Record<State, Issue<never>> = { ...IN_A_SESSION, ...LINKS, ...ALONE }
  return all[state](stage, holder as never) // `isUsable` has decided whether there is one
}
