import { randomUUID } from 'node:crypto'
import type { SmsOutcome } from '../../../src/domain/phones/sms.ts'
import type { Received } from '../../support/service/responses.ts'
import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { idempotencyCases, outcomeUnknownCases, withKey, type Pair } from '../../support/cases/idempotency-cases.ts'
import { withChallenge } from '../../support/service/challenges.ts'
import { sender } from '../../support/service/sender.ts'
import type { World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000

const common = commonCases(
  'checkPhone',
  (world) => ({ form: { phone_code: '966', phone: world.newPhone() } }),
  'phoneNumbers',
)
const prepare = async (world: World): Promise<Pair> => {
  const form = { phone_code: '966', phone: world.newPhone() }
  return { sent: { form }, other: { form: { ...form, phone: world.newPhone() } } }
}
const once = idempotencyCases(prepare)
const body = bodyCases({ phone_code: '966', phone: '0512345678' })

/** Runs a function while every SMS has the given outcome. */
async function withSmsOutcome(
  outcome: SmsOutcome,
  { service }: World,
  run: () => Promise<Received>,
): Promise<Received> {
  const { context } = service.app
  const working = context.sms
  context.sms = { send: async () => ({ outcome }) }
  try {
    return await run()
  } finally {
    context.sms = working
  }
}

contract('checkPhone', {
  200: {
    ...once.success,
    'sends a code to an unregistered number': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await send({ form: { phone_code: '966', phone } })
      t.same(received.body, { status: true, code: 200, message: 'A verification code was sent by SMS.', data: null })
      t.match(world.textsTo(phone), [/verification code is \d{6}\. It is valid for 5 minutes/])
      t.match(received.headers['ratelimit-policy'], /"check-phone-minute";q=10;w=60, "check-phone-hour";q=30;w=3600/)
      return received
    },
    'accepts JSON and responds in Arabic': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await send({ json: { phone_code: '966', phone }, language: 'ar' })
      t.equal(received.body.message, 'تم إرسال رمز التحقق في رسالة نصية.')
      t.match(world.textsTo(phone), [/رمز تأكيد جوالك في توثيق: \d{6}/])
      return received
    },
    'sends the code by the requested channel': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await send({ form: { phone_code: '966', phone, channel: 'whatsapp' } })
      t.equal(received.body.message, 'A verification code was sent by WhatsApp.')
      t.equal(received.headers['code-channel'], 'whatsapp')
      t.equal(received.headers['offered-channels'], 'sms, whatsapp, voice')
      t.match(world.textsTo(phone), [/verification code is \d{6}/])
      return received
    },
    'names SMS as the channel by default': async (send, world, t) => {
      const received = await send({ form: { phone_code: '966', phone: world.newPhone() } })
      t.equal(received.headers['code-channel'], 'sms')
      return received
    },
    'sends the next code exactly after Retry-After': async (send, world, t) => {
      const form = { phone_code: '966', phone: world.newPhone() }
      let sends = 0 // each from another /64 network of one customer, so that only the limits per number apply
      const request = (): Promise<Received> =>
        send({ form, headers: { 'x-forwarded-for': `2001:db8:7:${++sends}::1` } })
      const hourLeft = 3600 - 60 - 120 - 300 - 300 // the rest of the hour of the first code: the fifth reaches the limit
      let received = await request()
      for (const expected of [60, 120, 300, 300, hourLeft]) {
        const seconds = Number(received.headers['retry-after'])
        t.ok(seconds <= expected && seconds > expected - 30, `${seconds} s`) // the requests themselves take time
        world.wait((seconds - 20) * 1000)
        const { headers } = await request()
        t.equal(headers['error-code'], expected === hourLeft ? 'otp_send_limit' : 'otp_cooldown')
        t.ok(Number(headers['retry-after']) <= 20, 'a rejection returns the same time')
        world.wait(20_000)
        received = await request()
        t.equal(received.status, 200)
      }
      return received
    },
    'accepts a number of another country': (send) => send({ form: { phone_code: '+20', phone: '010 0123 4567' } }),
    'sends the same code again after a minute': async (send, world, t) => {
      const phone = world.newPhone()
      await send({ form: { phone_code: '966', phone } })
      world.wait(MINUTE_MS)
      const received = await send({ form: { phone_code: '966', phone } })
      const [second, first] = world.textsTo(phone)
      t.equal(second, `${first} (2)`, 'the same code in another text, because some providers drop repeated ones')
      return received
    },
    'sends a new code after the first has expired': async (send, world, t) => {
      const phone = world.newPhone()
      await send({ form: { phone_code: '966', phone } })
      world.wait(5 * MINUTE_MS)
      const received = await send({ form: { phone_code: '966', phone } })
      const [second, first] = world.textsTo(phone)
      t.not(second, first)
      return received
    },
  },
  400: {
    ...common[400],
    ...body[400],
    'rejects a form without a boundary': async (send, _world, t) => {
      for (const type of [
        'multipart/form-data',
        'multipart/form-data; charset=utf-8',
        'multipart/form-data; boundary=""',
      ]) {
        const { headers } = await send({ raw: 'x', type })
        t.equal(headers['error-code'], 'multipart_boundary_missing', type)
      }
      const wrong = await send({ raw: 'x', type: 'multipart/form-data; boundary=y' })
      t.equal(wrong.headers['error-code'], 'malformed_request', 'a boundary that is missing in the body')
      return send({ raw: 'x', type: 'Multipart/Form-Data;boundary=' })
    },
    'rejects a truncated form': (send) =>
      send({
        raw: '--x\r\nContent-Disposition: form-data; name="phone"\r\n\r\n05',
        type: 'multipart/form-data; boundary=x',
      }),
  },
  409: { ...once.conflict, ...outcomeUnknownCases(prepare) },
  413: {
    ...body[413],
    'rejects a form over the size limit': (send) =>
      send({ form: { phone_code: '966', phone: '0512345678', more: 'x'.repeat(70_000) } }),
    'rejects a form with too many parts': (send) =>
      send({ form: Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`field${at}`, 'x'])) }),
  },
  415: body[415],
  422: {
    ...once.invalid,
    'rejects a registered number and sends nothing': async (send, world, t) => {
      const { phone } = await world.person()
      const received = await send({ form: { phone_code: '966', phone } })
      t.same(received.body, {
        status: false,
        code: 422,
        message: 'invalid_data',
        data: { errors: { phone: ['This phone number is already registered.'] }, codes: { phone: ['phone_taken'] } },
      })
      t.same(world.textsTo(phone), [], 'nothing was sent')
      return received
    },
    'rejects a registered number in any notation': async (send, world, t) => {
      const { phone } = await world.person()
      const arabic = phone.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
      const received = await send({ form: { phone_code: '٠٠٩٦٦', phone: arabic } })
      t.same(received.body.data.codes, { phone: ['phone_taken'] })
      return received
    },
    'rejects a form without fields': async (send, _world, t) => {
      const received = await send({ form: { phone: '' } })
      t.same(received.body.data.codes, { phone: ['required'], phone_code: ['required'] })
      return received
    },
    'rejects a repeated field, a file and an unknown field': async (send, _world, t) => {
      const part = (name: string, value: string): string =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      const file = '--x\r\nContent-Disposition: form-data; name="phone"; filename="a.txt"\r\n\r\n0512345678\r\n'
      const raw = `${part('phone_code', '966')}${part('phone_code', '966')}${file}${part('otp', '1')}--x--\r\n`
      const received = await send({ raw, type: 'multipart/form-data; boundary=x' })
      t.same(received.body.data.codes, { phone_code: ['wrong_type'], phone: ['wrong_type'], otp: ['unknown_field'] })
      return received
    },
    'rejects a number that is too short': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: '05123' } })
      t.same(received.body.data.codes, { phone: ['phone_invalid'] })
      return received
    },
    'rejects a number that cannot receive SMS': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: '0112345678' } })
      t.same(received.body.data.codes, { phone: ['phone_not_mobile'] })
      return received
    },
    'rejects landlines and premium-rate numbers of other countries': async (send, _world, t) => {
      const premium = await send({ form: { phone_code: '44', phone: '09012345678' } })
      t.same(premium.body.data.codes, { phone: ['phone_type_not_allowed'] })
      const received = await send({ form: { phone_code: '20', phone: '0221234567' }, language: 'ar' })
      t.same(received.body.data, {
        errors: { phone: ['لا يمكن إرسال رموز التحقق إلى هذا النوع من الأرقام.'] },
        codes: { phone: ['phone_type_not_allowed'] },
      })
      return received
    },
    'rejects an unknown calling code': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '999', phone: '0512345678' } })
      t.same(received.body.data.codes, { phone_code: ['phone_code_unknown'] })
      return received
    },
    'rejects a number of another country than its calling code': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: '+201001234567' } })
      t.same(received.body.data.codes, { phone: ['phone_code_mismatch'] })
      return received
    },
    'rejects a country that is not served': async (send, world, t) => {
      const { context } = world.service.app
      context.smsCountries = new Set(['966'])
      const received = await send({ form: { phone_code: '20', phone: '01001234567' } })
      context.smsCountries = undefined
      t.same(received.body.data.codes, { phone_code: ['country_not_served'] })
      return received
    },
    'rejects a channel that is not offered, whether or not the number is registered': async (send, world, t) => {
      const { context } = world.service.app
      const { phone } = await world.person()
      const { offeredChannels } = context
      context.offeredChannels = () => ['sms']
      const known = await send({ form: { phone_code: '966', phone, channel: 'voice' } })
      const received = await send({ form: { phone_code: '966', phone: world.newPhone(), channel: 'voice' } })
      context.offeredChannels = offeredChannels
      t.same(received.body.data.codes, { channel: ['channel_not_offered'] })
      t.same(known.body, received.body)
      return received
    },
    'rejects an unknown channel': async (send, world, t) => {
      const received = await send({ form: { phone_code: '966', phone: world.newPhone(), channel: 'pigeon' } })
      t.same(received.body.data.codes, { channel: ['not_allowed'] })
      return received
    },
    'rejects letters': async (send, _world, t) => {
      const received = await send({ json: { phone_code: 'SA', phone: 'five' } })
      t.same(received.body.data.codes, { phone_code: ['wrong_format'], phone: ['wrong_format'] })
      return received
    },
  },
  429: {
    'rejects an immediate request for a second code': async (send, world, t) => {
      const phone = world.newPhone()
      await send({ form: { phone_code: '966', phone } })
      const received = await send({ form: { phone_code: '966', phone: `+966${phone.slice(1)}` } })
      t.equal(received.headers['error-code'], 'otp_cooldown')
      t.ok(Number(received.headers['retry-after']) > 55)
      t.equal(world.textsTo(phone).length, 1)
      return received
    },
    'limits codes per number and hour': async (send, world, t) => {
      const phone = world.newPhone()
      for (let sends = 0; sends < 5; sends++) {
        t.equal((await send({ form: { phone_code: '966', phone } })).status, 200)
        world.wait(6 * MINUTE_MS)
      }
      const received = await send({ form: { phone_code: '966', phone } })
      t.equal(received.headers['error-code'], 'otp_send_limit')
      return received
    },
    'limits the number of networks that request codes for one number': async (send, world, t) => {
      const form = { phone_code: '966', phone: world.newPhone() }
      const sendFrom = (at: number): Promise<Received> =>
        send({ form, headers: { 'x-forwarded-for': `192.0.2.${100 + at}` } })
      for (let at = 0; at < 8; at++) {
        t.equal((await sendFrom(at)).status, 200)
        world.wait(MINUTE_MS)
      }
      const received = await sendFrom(9)
      t.equal(received.headers['error-code'], 'otp_send_limit')
      t.ok(Number(received.headers['retry-after']) > 20 * 60 * 60)
      t.equal((await sendFrom(0)).status, 200, 'earlier networks are not affected')
      return received
    },
    'limits codes per client address and minute': async (send, world, t) => {
      const responses = await Promise.all(
        Array.from({ length: 11 }, () => send({ form: { phone_code: '966', phone: world.newPhone() } })),
      )
      const rejected = responses.filter(({ status }) => status === 429)
      t.equal(rejected.length, 1)
      t.equal(rejected[0]?.headers['error-code'], 'rate_limited')
      return rejected[0] ?? send()
    },
    'requires a challenge of a network that has used up most of its limit': async (send, world, t) => {
      const solved = withChallenge(world, t)
      for (let sends = 0; sends < 24; sends++) {
        t.equal((await send({ form: { phone_code: '966', phone: world.newPhone() } })).status, 200)
        world.wait(10_000)
      }
      const phone = world.newPhone()
      const received = await send({ form: { phone_code: '966', phone } })
      t.equal(received.headers['error-code'], 'challenge_required')
      t.notMatch(received.headers['ratelimit-policy'], /challenge/)
      t.same(world.textsTo(phone), [])
      const form = { phone_code: '966', phone, challenge_response: 'right' }
      t.equal((await send({ form })).status, 200)
      t.same(solved, ['right'])
      t.equal((await send({ json: { ...form, phone: world.newPhone() } })).headers['error-code'], 'challenge_required')
      t.same(solved, ['right'], 'a solution is verified once')
      return send({ form: { ...form, challenge_response: 'wrong' } })
    },
    'limits codes per block of numbers and hour': async (send, world, t) => {
      const { origin } = world.service
      const neighbours = Array.from({ length: 36 }, (_, at) => `05512340${String(at).padStart(2, '0')}`)
      const responses = await Promise.all(
        neighbours.map((phone, at) =>
          sender(origin, 'checkPhone', `10.9.9.${at}`)({ form: { phone_code: '966', phone } }),
        ),
      )
      t.same([...new Set(responses.map(({ status }) => status))], [200])
      const phone = '0551234999'
      const received = await send({ form: { phone_code: '966', phone } })
      t.equal(received.headers['error-code'], 'rate_limited')
      t.notMatch(received.headers['ratelimit-policy'], /sms-/, 'limits across users are not disclosed')
      t.same(world.textsTo(phone), [])
      const far = await send({ form: { phone_code: '966', phone: '0551235000' } })
      t.equal(far.status, 200, 'the next block is not affected')
      return received
    },
    'rejects a number after five wrong codes': async (send, world, t) => {
      const phone = world.newPhone()
      await send({ form: { phone_code: '966', phone } })
      const confirm = world.send('confirmPhone')
      const wrong = world.textsTo(phone)[0]?.includes(' 000000') ? '000001' : '000000'
      for (let tries = 0; tries < 5; tries++) await confirm({ form: { phone_code: '966', phone, otp: wrong } })
      world.wait(2 * MINUTE_MS)
      const received = await send({ form: { phone_code: '966', phone } })
      t.equal(received.headers['error-code'], 'otp_tries_exhausted')
      return received
    },
  },
  500: common[500],
  503: {
    ...common[503],
    'replays that a provider has not confirmed the message': async (send, world, t) => {
      const { sent } = await prepare(world)
      const keyed = withKey(sent, randomUUID())
      await withSmsOutcome('unknown', world, () => send(keyed))
      world.wait(20_000)
      const received = await send(keyed)
      t.match(received.headers, { 'error-code': 'sms_unavailable', 'idempotency-replayed': 'true' })
      t.ok(Number(received.headers['retry-after']) <= 40, 'the remaining time')
      return received
    },
    'runs again after every provider has rejected the message': async (send, world, t) => {
      const { sent } = await prepare(world)
      const keyed = withKey(sent, randomUUID())
      const received = await withSmsOutcome('refused', world, () => send(keyed))
      t.match(await send(keyed), { status: 200, headers: { 'idempotency-replayed': undefined } })
      return received
    },
    'does not count a message that every provider rejects': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await withSmsOutcome('refused', world, () => send({ form: { phone_code: '966', phone } }))
      t.equal(received.headers['error-code'], 'sms_unavailable')
      const { rows } = await world.service.database.pool.query<{ state: string }>(
        'SELECT state FROM phone_verifications WHERE phone = $1',
        [`+966${phone.slice(1)}`],
      )
      t.same(rows, [{ state: 'used' }], 'no code can be confirmed')
      t.equal((await send({ form: { phone_code: '966', phone } })).status, 200, 'the next attempt has no cooldown')
      return received
    },
    'counts a message that a provider may have accepted': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await withSmsOutcome('unknown', world, () => send({ form: { phone_code: '966', phone } }))
      t.equal(received.headers['error-code'], 'sms_unavailable')
      t.equal(received.headers['retry-after'], '60')
      const again = await send({ form: { phone_code: '966', phone } })
      t.equal(again.headers['error-code'], 'otp_cooldown')
      return received
    },
  },
})
