// The channels by which codes reach each type of number: those that a client requests, those that a message falls back to, and
// those that the response offers.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { readConfig } from '../../../src/config/index.ts'
import type { Channel } from '../../../src/domain/phones/sms.ts'
import { settled } from '../../support/accounts/resets.ts'
import { smsServer } from '../../support/servers/sms-servers.ts'
import type { Received } from '../../support/service/responses.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'

type Number = Readonly<{ phone_code: string; phone: string }>

const LANDLINE = { phone_code: '20', phone: '0221234567' }
const VOIP = { phone_code: '44', phone: '5600123456' }
const MOBILE = { phone_code: '20', phone: '01012345678' }
/** A number in the United States can be a mobile number or a landline */
const EITHER = { phone_code: '1', phone: '2015550123' }
const PREMIUM = { phone_code: '44', phone: '9012345678' }

type Setup = { world: World; sent(): Channel[] }

/** Starts a service with one provider of all channels, which rejects the messages of some of them. */
async function openWith(t: Test, rejected: readonly Channel[], variables: Record<string, string> = {}): Promise<Setup> {
  const { origin, received } = await smsServer(t, (response, text) => {
    const { channel } = JSON.parse(text) as { channel: Channel }
    response.writeHead(rejected.includes(channel) ? 400 : 200).end()
  })
  const { sms } = readConfig({
    NODE_ENV: 'test',
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: `${origin}/sms`,
    SMS_WEBHOOK_CHANNELS: 'sms,whatsapp,voice',
    ...variables,
  })
  const service = await openService({ config: { sms } })
  t.teardown(() => service.close())
  const sent = (): Channel[] => received.map(({ text }) => (JSON.parse(text) as { channel: Channel }).channel)
  return { world: await openWorld(service), sent }
}

const check = (world: World, number: Number, channel: Channel, headers = {}): Promise<Received> =>
  world.send('checkPhone')({ form: { ...number, channel }, headers })

const channelsIn = ({ headers }: Received): (string | undefined)[] => [
  headers['code-channel'],
  headers['offered-channels'],
]

void t.test('never replaces a rejected call to a landline by an SMS', async (t) => {
  const { world, sent } = await openWith(t, ['voice'])
  for (const number of [LANDLINE, VOIP]) {
    const received = await check(world, number, 'voice')
    t.equal(received.status, 503)
    t.equal(received.headers['error-code'], 'sms_unavailable')
    t.equal(received.headers['retry-after'], '10', 'the request does not count against the number')
  }
  t.same(sent(), ['voice', 'voice'])
})

void t.test('replaces a rejected call to a number that can receive SMS', async (t) => {
  const { world, sent } = await openWith(t, ['voice'])
  for (const number of [MOBILE, EITHER]) {
    const received = await check(world, number, 'voice')
    t.equal(received.status, 200)
    t.same(channelsIn(received), ['sms', 'sms, whatsapp, voice'])
  }
  t.same(sent(), ['voice', 'sms', 'voice', 'sms'])
})

void t.test('offers only calls to landlines, also in a replayed response', async (t) => {
  const { world, sent } = await openWith(t, [])
  for (const number of [LANDLINE, VOIP]) {
    const headers = { 'idempotency-key': randomUUID() }
    for (let times = 0; times < 2; times++) {
      const received = await check(world, number, 'voice', headers)
      t.equal(received.status, 200)
      t.same(channelsIn(received), ['voice', 'voice'])
    }
  }
  t.same(sent(), ['voice', 'voice'])
})

void t.test('rejects channels that the type of a number does not allow, before any provider is called', async (t) => {
  const { world, sent } = await openWith(t, [])
  const forbidden: [Number, Channel[]][] = [
    [LANDLINE, ['sms', 'whatsapp']],
    [VOIP, ['sms', 'whatsapp']],
    [PREMIUM, ['sms', 'whatsapp', 'voice']],
  ]
  for (const [number, channels] of forbidden) {
    for (const channel of channels) {
      const received = await check(world, number, channel)
      t.equal(received.status, 422, `${number.phone} by ${channel}`)
      t.same(received.body.data.codes, { phone: ['phone_type_not_allowed'] })
      t.equal(received.headers['offered-channels'], undefined)
    }
  }
  t.same(sent(), [])
})

void t.test('replaces a rejected call to a landline while the rules only record', async (t) => {
  const { world, sent } = await openWith(t, ['voice'], { SMS_FRAUD_MODE: 'record' })
  const received = await check(world, LANDLINE, 'voice')
  t.same(channelsIn(received), ['sms', 'sms, whatsapp, voice'])
  t.same(sent(), ['voice', 'sms'])
  t.notOk(
    world.service.log.some((line) => line.includes('SMS fraud rules')),
    'the requested call was allowed',
  )
})

void t.test('replaces a rejected message with the reset code of an account whose number is a landline', async (t) => {
  const { world, sent } = await openWith(t, ['whatsapp'], { SMS_PASSWORD_RESET: 'yes' })
  const { id } = await world.person()
  const before = sent().length
  await world.service.database.prisma.account.update({
    where: { id },
    data: { phone: '+20221234567', phoneCode: '20' },
  })
  const json = { by: 'phone', ...LANDLINE, channel: 'whatsapp' }
  t.equal((await world.send('requestPasswordReset')({ json })).status, 202)
  await settled(world)
  t.same(sent().slice(before), ['whatsapp', 'sms'])
})
