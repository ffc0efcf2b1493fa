// Concurrent requests for one number, over two instances on one database.
import t from 'tap'
import { openApp } from '../../../src/app.ts'
import { openWorld, sharedService } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'
import { codeFor } from '../../support/accounts/resets.ts'
import { sender, untilServed, type Sent } from '../../support/service/sender.ts'
import type { OperationId } from '../../../src/contract/operation.ts'

const CROWD = 64
const RESETS = 6
const ROUNDS = raceRounds(20)

const newPassword = (at: number): string => `battery horse staple ${at}`

const service = await sharedService()
const { database } = service
const second = await openApp(service.config, service.dependencies)
t.teardown(() => second.close())
const origins = [service.origin, await second.server.listen({ host: '127.0.0.1', port: 0 })]

/** Sends a crowd's requests to both instances in turn, each from its own address; returns the responses. */
async function crowd(id: OperationId, requestOf: (at: number) => Sent, size = CROWD): Promise<number[]> {
  const responses = await Promise.all(
    Array.from({ length: size }, (_, at) =>
      untilServed(sender(origins[at % 2] ?? '', id, `172.16.${++addresses >> 8}.${addresses & 255}`), requestOf(at)),
    ),
  )
  return responses.map(({ status }) => status)
}

let addresses = 0

function countOf(statuses: number[], status: number): number {
  return statuses.filter((each) => each === status).length
}

void t.test('sends one SMS for concurrent requests of one number', async (t) => {
  const world = await openWorld()
  const phone = world.newPhone()
  const statuses = await crowd('checkPhone', () => ({ form: { phone_code: '966', phone } }))
  t.equal(countOf(statuses, 200), 1)
  t.equal(countOf(statuses, 429), CROWD - 1)
  t.equal(world.textsTo(phone).length + (second.outbox?.messages.length ?? 0), 1)
})

void t.test('evaluates five of many concurrent guesses', async (t) => {
  const { phone, otp } = await numberWithCode()
  const guesses = Array.from({ length: CROWD }, (_, at) => String((Number(otp) + at + 1) % 1_000_000).padStart(6, '0'))
  const statuses = await crowd('confirmPhone', (at) => ({ form: { phone_code: '966', phone, otp: guesses[at] ?? '' } }))
  t.equal(countOf(statuses, 400), 5)
  t.equal(countOf(statuses, 429), CROWD - 5)
  const after = await crowd('confirmPhone', () => ({ form: { phone_code: '966', phone, otp } }))
  t.equal(countOf(after, 200), 0, 'the right code is rejected afterwards')
})

void t.test('confirms a number once for concurrent right codes', async (t) => {
  const { phone, otp } = await numberWithCode()
  const statuses = await crowd('confirmPhone', () => ({ form: { phone_code: '966', phone, otp } }))
  t.equal(countOf(statuses, 200), CROWD)
  const row = await database.prisma.phoneVerification.findUnique({ where: { phone: `+966${phone.slice(1)}` } })
  t.match(row, { state: 'confirmed', wrongTries: 0, version: 2 })
})

void t.test('sets one password when resets with one code race', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await openWorld()
    const { phone } = await world.person()
    await world.send('requestPasswordReset')({ json: { by: 'phone', phone_code: '966', phone } })
    const otp = await codeFor(world, phone)
    const form = (at: number): object => ({ by: 'phone', phone_code: '966', phone, otp, password: newPassword(at) })
    const statuses = await crowd('resetPassword', (at) => ({ json: form(at) }), RESETS)
    t.equal(countOf(statuses, 200), 1)
    t.equal(countOf(statuses, 422), RESETS - 1)
  }
})

async function numberWithCode(): Promise<{ phone: string; otp: string }> {
  const world = await openWorld()
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  return { phone, otp: world.codesTo(phone)[0] ?? '' }
}
