// An account with two sessions, on two instances, before a revocation.
import type { Context } from '../../../src/context.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import type { Database } from '../../../src/database/index.ts'
import type { Send } from '../service/sender.ts'
import { openWorld, type Person, type World } from '../service/world.ts'
import { there, twoInstances } from '../timing/two-instances.ts'

/** Those of the instances that the running test file has opened */
export let context: Context
export let prisma: Database['prisma']

/** Opens the instances of a test file, which calls this first: another file in the same process has closed its own. */
export async function openInstances(): Promise<void> {
  const { app, database } = await twoInstances()
  context = app.context
  prisma = database.prisma
}

export const DAY_MS = 86_400_000
/** Longer than the waiting period of a new identifier */
export const LONG_AGO_MS = 30 * DAY_MS

export type Session = Readonly<{ sessionId: string; token: string; refresh: string }>

export type Stage = {
  world: World
  person: Person
  /** The session that asks for the revocation, where one does */
  asking: Session
  other: Session
  /** Sends a request to the first instance, or to the second one */
  here(id: OperationId): Send
  there(id: OperationId): Send
}

export async function openStage(attributes: Parameters<World['person']>[0] = {}): Promise<Stage> {
  const world = await openWorld()
  const person = await world.person(attributes)
  const verified = new Date(Date.now() - LONG_AGO_MS)
  await update(person, {
    phoneVerifiedAt: verified,
    phoneRecoversFrom: verified,
    emailVerifiedAt: verified,
    emailRecoversFrom: verified,
  })
  return {
    world,
    person,
    asking: await newSession(person.id),
    other: await newSession(person.id),
    here: (id) => world.send(id),
    there: (id) => there(world, id),
  }
}

type Data = Parameters<typeof prisma.account.update>[0]['data']

export async function update({ id }: { id: number }, data: Data): Promise<void> {
  await prisma.account.update({ where: { id }, data })
}

export function stored({ person }: Stage): Promise<NonNullable<Awaited<ReturnType<typeof prisma.account.findUnique>>>> {
  return prisma.account.findUniqueOrThrow({ where: { id: person.id } })
}

/** Begins a session without a login, which takes longer and needs the password. */
export async function newSession(accountId: number): Promise<Session> {
  const { id: sessionId } = await prisma.session.create({ data: { accountId, address: '::1' } })
  return tokensOf({ accountId, sessionId })
}

export function tokensOf({ accountId, sessionId }: { accountId: number; sessionId: string }): Session {
  const token = context.tokens.issue({ accountId, sessionId })
  return { sessionId, token, refresh: context.refreshTokens.issue({ sessionId, generation: 0 }) }
}

let tokens = 0

type TokenData = Omit<
  Parameters<typeof prisma.emailToken.create>[0]['data'],
  'tokenHash' | 'accountId' | 'expiresAt'
> & {
  expiresAt?: Date
}

/** Stores a token as if it had been sent by e-mail. */
export async function emailToken({ person: { id } }: Stage, data: TokenData, lifeMs = DAY_MS): Promise<string> {
  const token = `e-mail token ${++tokens}`
  const tokenHash = context.emailTokens.hash(token)
  const expiresAt = new Date(context.clock.nowMs() + lifeMs)
  await prisma.emailToken.create({ data: { tokenHash, accountId: id, expiresAt, ...data } as never })
  return token
}

export async function resetToken({ person: { id } }: Stage): Promise<string> {
  const token = `reset token ${++tokens}`
  const expiresAt = new Date(context.clock.nowMs() + 600_000)
  await prisma.passwordReset.create({ data: { tokenHash: context.resetTokens.hash(token), accountId: id, expiresAt } })
  return token
}

/** Stores a token as if it had been sent after a reset by phone. Returns the body of its use. */
export async function undoToken(stage: Stage): Promise<object> {
  const { email } = stage.person
  const verifiedAt = new Date(context.clock.nowMs() - LONG_AGO_MS)
  const token = await emailToken(stage, { purpose: 'undo_reset', email, verifiedAt }, 7 * DAY_MS)
  return { by: 'token', token }
}

const UNDO_CODE = 'K7QD2MXAR5'

/** Stores a code that undoes changes as if it had been sent to the number of the account, younger than its address. Returns the body of its use. */
export async function undoCode({ person: { id, email, phone } }: Stage, lifeMs = 7 * DAY_MS): Promise<object> {
  const tokenHash = context.undoCodes.hash(`+966${phone.slice(1)}`, UNDO_CODE)
  const nowMs = context.clock.nowMs()
  const [verifiedAt, expiresAt] = [new Date(nowMs - LONG_AGO_MS), new Date(nowMs + lifeMs)]
  const phoneVerifiedAt = new Date(nowMs - LONG_AGO_MS + DAY_MS)
  const number = { phone: `+966${phone.slice(1)}`, phoneCode: '966', phoneVerifiedAt }
  const about = { accountId: id, purpose: 'undo_by_phone', email, verifiedAt, ...number } as const
  await prisma.emailToken.create({ data: { ...about, tokenHash, expiresAt } })
  return { by: 'phone', phone_code: '966', phone, otp: UNDO_CODE }
}

/** Stores a window of codes as if its code had been sent to a Saudi number. Returns the code. */
export async function sentCode(
  phone: string,
  purpose: 'verification' | 'reset',
  use: 'factor_reset' | typeof purpose = purpose,
): Promise<string> {
  const about = { phone: `+966${phone.slice(1)}`, purpose, windowId: context.codes.newWindowId() }
  const [startedAt, expiresAt] = [new Date(context.clock.nowMs()), new Date(context.clock.nowMs() + 300_000)]
  const window = { ...about, state: 'sent', startedAt, expiresAt } as const
  const data = { ...window, sentAt: [startedAt], sentBy: ['x'], wrongAt: [], wrongBy: [], wrongTries: 0 }
  await prisma.phoneVerification.upsert({ where: { phone: about.phone }, create: data, update: data })
  return context.codes.codeFor({ ...about, purpose: use })
}

/** Stores a code as if it had been sent to an address of the account. */
export async function sentEmailCode({ person: { id } }: Stage, email: string): Promise<string> {
  const windowId = context.emailCodes.newWindowId()
  const expiresAt = new Date(context.clock.nowMs() + 300_000)
  await prisma.emailCode.create({ data: { accountId: id, email, windowId, expiresAt, sentAt: [], wrongAt: [] } })
  return context.emailCodes.codeFor({ accountId: id, email, windowId })
}
