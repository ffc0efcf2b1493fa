import type { SmsOutcome } from '../../src/domain/sms.ts'
import type { Received } from '../support/answers.ts'
import { bodyStories, commonStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import { sender } from '../support/sender.ts'
import type { World } from '../support/world.ts'

const MINUTE_MS = 60_000

const common = commonStories(
  'checkPhone',
  (world) => ({ form: { phone_code: '966', phone: world.newPhone() } }),
  'phoneNumbers',
)
const body = bodyStories({ phone_code: '966', phone: '0512345678' })

/** Asks while what becomes of every message is `outcome`. */
async function whenOutcomeIs(outcome: SmsOutcome, { service }: World, ask: () => Promise<Received>): Promise<Received> {
  const { context } = service.app
  const working = context.sms
  context.sms = { send: async () => outcome }
  try {
    return await ask()
  } finally {
    context.sms = working
  }
}

contract('checkPhone', {
  200: {
    'a number that nobody has': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await send({ form: { phone_code: '966', phone } })
      t.same(received.body, { status: true, code: 200, message: 'A confirmation code was sent by SMS.', data: null })
      t.match(world.textsTo(phone), [/confirmation code is \d{6}\. It is valid for 5 minutes/])
      t.match(received.headers['ratelimit-policy'], /"check-phone-minute";q=10;w=60, "check-phone-hour";q=30;w=3600/)
      return received
    },
    'a number in JSON, answered in Arabic': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await send({ json: { phone_code: '966', phone }, language: 'ar' })
      t.equal(received.body.message, 'تم إرسال رمز التأكيد في رسالة نصية.')
      t.match(world.textsTo(phone), [/رمز التأكيد في توثيق: \d{6}/])
      return received
    },
    'a number whose next code can be sent when the header says, and not earlier': async (send, world, t) => {
      const form = { phone_code: '966', phone: world.newPhone() }
      let sends = 0 // each from another /64 of one customer, so that only the limits of the number apply
      const ask = (): Promise<Received> => send({ form, headers: { 'x-forwarded-for': `2001:db8:7:${++sends}::1` } })
      const hourLeft = 3600 - 60 - 120 - 300 - 300 // of the hour of the first code, which is used up by the fifth
      let received = await ask()
      for (const expected of [60, 120, 300, 300, hourLeft]) {
        const seconds = Number(received.headers['retry-after'])
        t.ok(seconds <= expected && seconds > expected - 30, `${seconds} s`) // the requests take some time themselves
        world.wait((seconds - 20) * 1000)
        const { headers } = await ask()
        t.equal(headers['error-code'], expected === hourLeft ? 'otp_send_limit' : 'otp_cooldown')
        t.ok(Number(headers['retry-after']) <= 20, 'a refusal names the same moment')
        world.wait(20_000)
        received = await ask()
        t.equal(received.status, 200)
      }
      return received
    },
    'a number of another country': (send) => send({ form: { phone_code: '+20', phone: '010 0123 4567' } }),
    'a second code after a minute, which is the same': async (send, world, t) => {
      const phone = world.newPhone()
      await send({ form: { phone_code: '966', phone } })
      world.wait(MINUTE_MS)
      const received = await send({ form: { phone_code: '966', phone } })
      const [second, first] = world.textsTo(phone)
      t.equal(second, first)
      return received
    },
    'another code when the first is out of date': async (send, world, t) => {
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
    'a form without its boundary': async (send, _world, t) => {
      for (const type of [
        'multipart/form-data',
        'multipart/form-data; charset=utf-8',
        'multipart/form-data; boundary=""',
      ]) {
        const { headers } = await send({ raw: 'x', type })
        t.equal(headers['error-code'], 'multipart_boundary_missing', type)
      }
      const wrong = await send({ raw: 'x', type: 'multipart/form-data; boundary=y' })
      t.equal(wrong.headers['error-code'], 'malformed_request', 'a boundary that the body does not have')
      return send({ raw: 'x', type: 'Multipart/Form-Data;boundary=' })
    },
    'a form that ends too early': (send) =>
      send({
        raw: '--x\r\nContent-Disposition: form-data; name="phone"\r\n\r\n05',
        type: 'multipart/form-data; boundary=x',
      }),
  },
  413: {
    ...body[413],
    'a form over the limit': (send) =>
      send({ form: { phone_code: '966', phone: '0512345678', more: 'x'.repeat(70_000) } }),
    'a form of too many parts': (send) =>
      send({ form: Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`field${at}`, 'x'])) }),
  },
  415: body[415],
  422: {
    'a number that an account has': async (send, world, t) => {
      const { phone } = await world.person()
      const received = await send({ form: { phone_code: '966', phone } })
      t.same(received.body, {
        status: false,
        code: 422,
        message: 'invalid_data',
        data: { errors: { phone: ['This phone number already exists.'] }, codes: { phone: ['phone_taken'] } },
      })
      t.same(world.textsTo(phone), [], 'nothing was sent')
      return received
    },
    'the same, however it is written': async (send, world, t) => {
      const { phone } = await world.person()
      const arabic = phone.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
      const received = await send({ form: { phone_code: '٠٠٩٦٦', phone: arabic } })
      t.same(received.body.data.codes, { phone: ['phone_taken'] })
      return received
    },
    'a form without fields': async (send, _world, t) => {
      const received = await send({ form: { phone: '' } })
      t.same(received.body.data.codes, { phone: ['required'], phone_code: ['required'] })
      return received
    },
    'a field twice, a file and a field that is not known': async (send, _world, t) => {
      const part = (name: string, value: string): string =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      const file = '--x\r\nContent-Disposition: form-data; name="phone"; filename="a.txt"\r\n\r\n0512345678\r\n'
      const raw = `${part('phone_code', '966')}${part('phone_code', '966')}${file}${part('otp', '1')}--x--\r\n`
      const received = await send({ raw, type: 'multipart/form-data; boundary=x' })
      t.same(received.body.data.codes, { phone_code: ['wrong_type'], phone: ['wrong_type'], otp: ['unknown_field'] })
      return received
    },
    'a number that is too short': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: '05123' } })
      t.same(received.body.data.codes, { phone: ['phone_invalid'] })
      return received
    },
    'a number that cannot get an SMS': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: '0112345678' } })
      t.same(received.body.data.codes, { phone: ['phone_not_mobile'] })
      return received
    },
    'a calling code that no country has': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '999', phone: '0512345678' } })
      t.same(received.body.data.codes, { phone_code: ['phone_code_unknown'] })
      return received
    },
    'a number of another country than its code': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: '+201001234567' } })
      t.same(received.body.data.codes, { phone: ['phone_code_mismatch'] })
      return received
    },
    'a country that is not served': async (send, world, t) => {
      const { context } = world.service.app
      context.smsCountries = new Set(['966'])
      const received = await send({ form: { phone_code: '20', phone: '01001234567' } })
      context.smsCountries = undefined
      t.same(received.body.data.codes, { phone_code: ['country_not_served'] })
      return received
    },
    letters: async (send, _world, t) => {
      const received = await send({ json: { phone_code: 'SA', phone: 'five' } })
      t.same(received.body.data.codes, { phone_code: ['wrong_format'], phone: ['wrong_format'] })
      return received
    },
  },
  429: {
    'a second code at once': async (send, world, t) => {
      const phone = world.newPhone()
      await send({ form: { phone_code: '966', phone } })
      const received = await send({ form: { phone_code: '966', phone: `+966${phone.slice(1)}` } })
      t.equal(received.headers['error-code'], 'otp_cooldown')
      t.ok(Number(received.headers['retry-after']) > 55)
      t.equal(world.textsTo(phone).length, 1)
      return received
    },
    'more codes than a number gets in an hour': async (send, world, t) => {
      const phone = world.newPhone()
      for (let sends = 0; sends < 5; sends++) {
        t.equal((await send({ form: { phone_code: '966', phone } })).status, 200)
        world.wait(6 * MINUTE_MS)
      }
      const received = await send({ form: { phone_code: '966', phone } })
      t.equal(received.headers['error-code'], 'otp_send_limit')
      return received
    },
    'more networks than may ask for codes for one number': async (send, world, t) => {
      const form = { phone_code: '966', phone: world.newPhone() }
      const askFrom = (at: number): Promise<Received> =>
        send({ form, headers: { 'x-forwarded-for': `192.0.2.${100 + at}` } })
      for (let at = 0; at < 8; at++) {
        t.equal((await askFrom(at)).status, 200)
        world.wait(MINUTE_MS)
      }
      const received = await askFrom(9)
      t.equal(received.headers['error-code'], 'otp_send_limit')
      t.ok(Number(received.headers['retry-after']) > 20 * 60 * 60)
      t.equal((await askFrom(0)).status, 200, 'those that asked before have codes of their own')
      return received
    },
    'more codes than an address gets in a minute': async (send, world, t) => {
      const answers = await Promise.all(
        Array.from({ length: 11 }, () => send({ form: { phone_code: '966', phone: world.newPhone() } })),
      )
      const refused = answers.filter(({ status }) => status === 429)
      t.equal(refused.length, 1)
      t.equal(refused[0]?.headers['error-code'], 'rate_limited')
      return refused[0] ?? send()
    },
    'more codes than neighbouring numbers get in an hour': async (send, world, t) => {
      const { origin } = world.service
      const neighbours = Array.from({ length: 36 }, (_, at) => `05512340${String(at).padStart(2, '0')}`)
      const answers = await Promise.all(
        neighbours.map((phone, at) =>
          sender(origin, 'checkPhone', `10.9.9.${at}`)({ form: { phone_code: '966', phone } }),
        ),
      )
      t.same([...new Set(answers.map(({ status }) => status))], [200])
      const phone = '0551234999'
      const received = await send({ form: { phone_code: '966', phone } })
      t.equal(received.headers['error-code'], 'rate_limited')
      t.notMatch(received.headers['ratelimit-policy'], /sms-/, 'what others did is not told')
      t.same(world.textsTo(phone), [])
      const far = await send({ form: { phone_code: '966', phone: '0551235000' } })
      t.equal(far.status, 200, 'the next block is not concerned')
      return received
    },
    'a number whose tries are used up': async (send, world, t) => {
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
    'a message that every provider refuses, which is not counted': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await whenOutcomeIs('refused', world, () => send({ form: { phone_code: '966', phone } }))
      t.equal(received.headers['error-code'], 'sms_unavailable')
      t.equal((await send({ form: { phone_code: '966', phone } })).status, 200, 'the next attempt finds no cooldown')
      return received
    },
    'a message that a provider may have taken, which is counted': async (send, world, t) => {
      const phone = world.newPhone()
      const received = await whenOutcomeIs('unknown', world, () => send({ form: { phone_code: '966', phone } }))
      t.equal(received.headers['error-code'], 'sms_unavailable')
      t.equal(received.headers['retry-after'], '60')
      const again = await send({ form: { phone_code: '966', phone } })
      t.equal(again.headers['error-code'], 'otp_cooldown')
      return received
    },
  },
})
