// Resets of second factors that were lost.
import { PASSWORD, type Person, type World } from '../service/world.ts'
import { codeFor, settled } from './resets.ts'
import { establish, protectedPerson, type Protected } from './second-factors.ts'

export const HOUR_MS = 3_600_000
export const RESET_MS = 72 * HOUR_MS

export type Confirmation = Readonly<{ token: string; otp: string }>

/** Requests a reset. Returns a token in place of that of the e-mail, and the code of the SMS. */
export async function requestReset(world: World, person: Person, password = PASSWORD): Promise<Confirmation> {
  await settled(world) // so that no earlier SMS is sent after the code
  const { status, body } = await world.send('requestFactorReset')({ json: { email: person.email, password } })
  if (status !== 202) throw new Error(JSON.stringify(body))
  return { token: await knownToken(world, person, 'reset_factors'), otp: await codeFor(world, person.phone) }
}

let tokens = 0

/** Replaces the token of an account by another one, because any instance may send the e-mail with it. */
export async function knownToken(
  { service }: World,
  { id: accountId }: Person,
  purpose: 'reset_factors' | 'keep_factors',
): Promise<string> {
  const token = `factor token ${++tokens}`
  const tokenHash = service.app.context.resetTokens.hash(token)
  const { emailToken } = service.database.prisma
  const newest = await emailToken.findFirst({
    where: { accountId, purpose },
    orderBy: { expiresAt: 'desc' },
  })
  if (newest) await emailToken.update({ where: { tokenHash: newest.tokenHash }, data: { tokenHash } })
  return token
}

export type Pending = Protected & Readonly<{ resetAt: string; cancelToken: string }>

/** Creates a person with an established authenticator app whose reset is pending, and returns the token that cancels it. */
export async function pendingReset(world: World, given?: Person): Promise<Pending> {
  const owner = await protectedPerson(world, given)
  const { person } = owner
  await establish(world, person)
  const json = await requestReset(world, person)
  const { status, body } = await world.send('confirmFactorReset')({ json })
  if (status !== 202) throw new Error(JSON.stringify(body))
  const { reset_at: resetAt } = body.data as { reset_at: string }
  return { ...owner, resetAt, cancelToken: await knownToken(world, person, 'keep_factors') }
}

/** Returns the error code of a login with the password alone; undefined if it begins a session. */
export async function loginError(world: World, { email }: Person, password = PASSWORD): Promise<string | undefined> {
  const { status, headers } = await world.send('login')({ json: { email, password } })
  return status === 200 ? undefined : headers['error-code']
}

/** Returns the stored time of a reset in milliseconds; undefined without one. */
export async function storedReset({ service }: World, { id }: Person): Promise<number | undefined> {
  const { factorsResetAt } = await service.database.prisma.account.findUniqueOrThrow({ where: { id } })
  return factorsResetAt?.getTime()
}
