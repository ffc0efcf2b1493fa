// An authenticator app, written without the library of the service.
import { createHmac } from 'node:crypto'
import type { Case } from '../cases/contract.ts'
import type { Sent } from '../service/sender.ts'
import { PASSWORD, type Person, type World } from '../service/world.ts'
import { settled } from './resets.ts'

const STEP_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The proof of a change of the second factors, for an account without an established one */
export const BY_PASSWORD = { json: { password: PASSWORD } } as const

/** Returns the code that an app displays at a time (RFC 6238). */
export function codeAt(secret: string, nowMs: number): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / STEP_MS)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

export type Protected = Readonly<{
  person: Person
  /** The session that has added the app */
  token: string
  secret: string
  recoveryCodes: readonly string[]
  /** Waits for the next time step, and returns the code that the app then displays */
  nextCode(): string
}>

/** Creates a person with an authenticator app. */
export async function protectedPerson(world: World, given?: Person): Promise<Protected> {
  const person = given ?? (await world.person())
  const token = await person.token()
  const { secret } = await begin(world, token)
  const { clock } = world.service
  const { body } = await world.send('confirmTotp')({ token, json: { code: codeAt(secret, clock.nowMs()) } })
  await settled(world) // so that no notice is sent after a message that a test waits for
  return {
    person,
    token,
    secret,
    recoveryCodes: (body.data as { recovery_codes: string[] }).recovery_codes,
    nextCode() {
      world.wait(STEP_MS)
      return codeAt(secret, clock.nowMs())
    },
  }
}

/**
 * Stores a secret that waits to be confirmed in the newest session of a person, without a request. The code is the one at the time
 * of the request.
 */
export async function pendingRequest({ service }: World, person: Person): Promise<{ json: { code: string } }> {
  const { id: accountId } = person
  const newest = { where: { accountId }, orderBy: { createdAt: 'desc' } } as const
  const { session } = service.database.prisma
  if (!(await session.findFirst(newest))) {
    const token = await person.token()
    person.token = () => Promise.resolve(token)
  }
  const { id: totpPendingSessionId } = await session.findFirstOrThrow(newest)
  const created = await service.app.context.totp.newSecret(accountId)
  if (!created) throw new Error('there is no key for authenticator apps')
  const pending = { totpPending: created.sealed, totpPendingSessionId }
  await service.database.prisma.secondFactors.upsert({
    where: { accountId },
    create: { accountId, ...pending },
    update: pending,
  })
  return {
    json: {
      get code() {
        return codeAt(created.secret, service.clock.nowMs())
      },
    },
  }
}

/** Gives an account an authenticator app, whose secret is random, without ending its sessions. */
export async function protect({ service }: World, { id: accountId }: Person): Promise<void> {
  const { account, secondFactors } = service.database.prisma
  await secondFactors.create({
    data: { accountId, totpSecret: new Uint8Array(32), recoveryCodes: [new Uint8Array(32)] },
  })
  await account.update({ where: { id: accountId }, data: { factorsSince: new Date() } })
}

/** Ends the time in which the second factors of an account can prove no changes. */
export async function establish({ service }: World, { id: accountId }: Pick<Person, 'id'>): Promise<void> {
  const establishedAt = new Date(service.clock.nowMs() - 1000)
  const { secondFactors, passkey, emailToken } = service.database.prisma
  await emailToken.deleteMany({ where: { accountId, purpose: { in: ['undo', 'undo_by_phone'] } } }) // an undo reaches as far back
  const data = { totpEstablishedAt: establishedAt, codesEstablishedAt: establishedAt }
  await secondFactors.updateMany({ where: { accountId }, data })
  await passkey.updateMany({ where: { accountId }, data: { establishedAt } })
}

/** Begins to add an app. */
export async function begin(
  world: World,
  token: string,
  proof: object = BY_PASSWORD.json,
): Promise<{ uri: string; secret: string }> {
  return (await world.send('beginTotp')({ token, json: proof })).body.data as { uri: string; secret: string }
}

/** The case of an operation that takes a proof and counts as a change of the factors of an account */
export const CHANGES_LIMITED: Case = async (send, world, t) => {
  const token = await (await world.person()).token()
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await send({ token, ...BY_PASSWORD })).status),
  )
  t.equal(statuses.filter((status) => status === 200).length, 10)
  return send({ token, ...BY_PASSWORD })
}

/** Returns the case of a service whose operator has not enabled second factors. */
export function notEnabled(validRequest: (world: World) => Promise<Sent>): Case {
  return async (send, world, t) => {
    const sent = await validRequest(world)
    const { enabledFeature } = world.service.database.prisma
    const enabled = await enabledFeature.findUniqueOrThrow({ where: { name: 'second-factors' } })
    await enabledFeature.delete({ where: { name: 'second-factors' } })
    try {
      const received = await send(sent)
      t.equal(received.headers['error-code'], 'factors_unavailable')
      return received
    } finally {
      await enabledFeature.create({ data: enabled })
    }
  }
}
