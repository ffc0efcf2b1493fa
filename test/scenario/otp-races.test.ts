// What happens to one number when everybody comes at once, over two instances on one database.
import t from 'tap'
import { openApp } from '../../src/app.ts'
import { openWorld, sharedService } from '../support/world.ts'
import { sender } from '../support/sender.ts'

const CROWD = 64

const service = await sharedService()
const { config, clock, database, logger } = service
const second = await openApp(config, { log: logger, clock, database })
t.teardown(() => second.close())
const origins = [service.origin, await second.server.listen({ host: '127.0.0.1', port: 0 })]

/** The answers of a crowd that sends to both instances in turn, each from an address of its own. */
async function crowd(
  id: 'checkPhone' | 'confirmPhone',
  formOf: (at: number) => Record<string, string>,
): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: CROWD }, (_, at) =>
      sender(origins[at % 2] ?? '', id, `172.16.${++addresses >> 8}.${addresses & 255}`)({ form: formOf(at) }),
    ),
  )
  return answers.map(({ status }) => status)
}

let addresses = 0

function countOf(statuses: number[], status: number): number {
  return statuses.filter((each) => each === status).length
}

void t.test('everybody asks for a code for one number: one SMS is sent', async (t) => {
  const world = await openWorld()
  const phone = world.newPhone()
  const statuses = await crowd('checkPhone', () => ({ phone_code: '966', phone }))
  t.equal(countOf(statuses, 200), 1)
  t.equal(countOf(statuses, 429), CROWD - 1)
  t.equal(world.textsTo(phone).length + (second.outbox?.messages.length ?? 0), 1)
})

void t.test('everybody guesses: five guesses are judged', async (t) => {
  const { phone, otp } = await numberWithCode()
  const guesses = Array.from({ length: CROWD }, (_, at) => String((Number(otp) + at + 1) % 1_000_000).padStart(6, '0'))
  const statuses = await crowd('confirmPhone', (at) => ({ phone_code: '966', phone, otp: guesses[at] ?? '' }))
  t.equal(countOf(statuses, 400), 5)
  t.equal(countOf(statuses, 429), CROWD - 5)
  const after = await crowd('confirmPhone', () => ({ phone_code: '966', phone, otp }))
  t.equal(countOf(after, 200), 0, 'the right code comes too late')
})

void t.test('everybody knows the code: all are told so, and the number is confirmed once', async (t) => {
  const { phone, otp } = await numberWithCode()
  const statuses = await crowd('confirmPhone', () => ({ phone_code: '966', phone, otp }))
  t.equal(countOf(statuses, 200), CROWD)
  const row = await database.prisma.phoneVerification.findUnique({ where: { phone: `+966${phone.slice(1)}` } })
  t.match(row, { state: 'confirmed', wrongTries: 0, version: 2 })
})

async function numberWithCode(): Promise<{ phone: string; otp: string }> {
  const world = await openWorld()
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  return { phone, otp: /\d{6}/.exec(world.textsTo(phone)[0] ?? '')?.[0] ?? '' }
}
