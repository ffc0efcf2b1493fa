// Strangers who know a number cannot prevent its owner from confirming it, and their guesses and messages are limited.
import t from 'tap'
import { openApp } from '../../../src/app.ts'
import { LIMITS } from '../../../generated/limits.ts'
import { sender } from '../../support/service/sender.ts'
import { openWorld, sharedService, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const { otp } = LIMITS
/** The limits of a day reject all attempts before that. */
const HOURS = 2

const service = await sharedService()
const second = await openApp(service.config, service.dependencies)
t.teardown(() => second.close())
const origins = [service.origin, await second.server.listen({ host: '127.0.0.1', port: 0 })]
let requests = 0

type Id = 'checkPhone' | 'confirmPhone'
type Outcome = { status: number; code: string | undefined; seconds: number }

/** Sends to both instances in turn. */
async function request(id: Id, address: string, form: Record<string, string>, origin?: string): Promise<Outcome> {
  const { status, headers } = await sender(origin ?? origins[++requests % 2] ?? '', id, address)({ form })
  return { status, code: headers['error-code'], seconds: Number(headers['retry-after'] ?? 0) }
}

/** Returns the code in the last text that the first instance sent. */
function codeTo(world: World, phone: string): string {
  return world.codesTo(phone)[0] ?? ''
}

function textsTo(phone: string): number {
  const e164 = `+966${phone.slice(1)}`
  return [service.app, second].flatMap(({ outbox }) => outbox?.messages ?? []).filter(({ to }) => to === e164).length
}

/** Sends and guesses as often as allowed from the addresses, for some hours; returns how many guesses were evaluated. */
async function attack(world: World, phone: string, addresses: readonly string[], hours: number): Promise<number> {
  let evaluated = 0
  for (let round = 0; round < hours * 4; round++) {
    for (const address of addresses) {
      await request('checkPhone', address, { phone_code: '966', phone })
      const guesses = await Promise.all(
        Array.from({ length: 7 }, (_, at) => {
          const guess = String(100_000 * round + 10_000 * at + 7)
            .slice(-6)
            .padStart(6, '0')
          return request('confirmPhone', address, { phone_code: '966', phone, otp: guess })
        }),
      )
      evaluated += guesses.filter(({ status }) => status === 400).length
      world.wait(MINUTE_MS)
    }
    world.wait(15 * MINUTE_MS - addresses.length * MINUTE_MS)
  }
  return evaluated
}

for (const count of [1, 7]) {
  void t.test(`lets the owner confirm a number during an attack from ${count} addresses`, async (t) => {
    const world = await openWorld()
    const phone = world.newPhone()
    const strangers = Array.from({ length: count }, (_, at) => `203.0.113.${10 * count + at}`)
    const owner = `198.51.100.${count}`
    const evaluated = await attack(world, phone, strangers, HOURS)
    t.ok(evaluated <= otp.wrong_per_number_per_day - otp.own_wrong_per_day, `${evaluated} guesses were evaluated`)
    t.ok(textsTo(phone) <= otp.sends_per_number_per_day - otp.own_sends_per_day, `${textsTo(phone)} messages were sent`)

    const form = { phone_code: '966', phone }
    const first = await request('checkPhone', owner, form, service.origin)
    if (first.status !== 200) {
      t.equal(first.code, 'otp_cooldown')
      t.ok(first.seconds <= 60, `${first.seconds} s`)
      world.wait(first.seconds * 1000)
      t.equal((await request('checkPhone', owner, form, service.origin)).status, 200)
    }
    const otpCode = codeTo(world, phone)
    const wrong = otpCode === '000000' ? '000001' : '000000'
    for (const stranger of [...strangers, '203.0.113.250', '203.0.113.251'])
      for (let tries = 0; tries < 6; tries++) await request('confirmPhone', stranger, { ...form, otp: wrong })
    t.equal(
      (await request('confirmPhone', owner, { ...form, otp: wrong })).status,
      400,
      'a wrong attempt of the owner is evaluated',
    )
    t.equal((await request('confirmPhone', owner, { ...form, otp: otpCode })).status, 200)
  })
}

void t.test('evaluates five of 64 parallel guesses per network', async (t) => {
  const world = await openWorld()
  const form = { phone_code: '966', phone: world.newPhone() }
  t.equal((await request('checkPhone', '198.51.100.90', form, service.origin)).status, 200)
  const code = Number(codeTo(world, form.phone))
  const guesses = Array.from({ length: 128 }, (_, at) => String((code + at + 1) % 1_000_000).padStart(6, '0'))
  const responses = await Promise.all(
    guesses.map((guess, at) =>
      request('confirmPhone', at % 2 ? '198.51.100.90' : `172.20.0.${at}`, { ...form, otp: guess }).then(
        ({ status }) => ({
          status,
          isRequester: at % 2 === 1,
        }),
      ),
    ),
  )
  const evaluated = responses.filter(({ status }) => status === 400)
  t.equal(evaluated.filter(({ isRequester }) => isRequester).length, otp.wrong_per_window)
  t.equal(evaluated.filter(({ isRequester }) => !isRequester).length, otp.wrong_per_window)
})

void t.test('does not reset attempts by a resend', async (t) => {
  const world = await openWorld()
  const form = { phone_code: '966', phone: world.newPhone() }
  const [owner, stranger] = ['198.51.100.91', '198.51.100.92']
  await request('checkPhone', owner, form, service.origin)
  const wrong = codeTo(world, form.phone) === '000000' ? '000001' : '000000'
  const guess = async (address: string): Promise<number> =>
    (await request('confirmPhone', address, { ...form, otp: wrong })).status
  for (let tries = 0; tries < 4; tries++) t.equal(await guess(owner), 400)
  for (let tries = 0; tries < 5; tries++) t.equal(await guess(stranger), 400)
  world.wait(MINUTE_MS)
  t.equal((await request('checkPhone', owner, form, service.origin)).status, 200)
  t.equal(await guess(stranger), 429)
  t.equal(await guess(owner), 400)
  t.equal(await guess(owner), 429)
  t.equal((await request('checkPhone', owner, form, service.origin)).code, 'otp_cooldown')
  world.wait(2 * MINUTE_MS)
  t.equal((await request('checkPhone', owner, form, service.origin)).code, 'otp_tries_exhausted')
})
