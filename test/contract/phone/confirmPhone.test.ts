import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import type { World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000

const common = commonCases(
  'confirmPhone',
  (world) => ({ form: { phone_code: '966', phone: world.newPhone(), otp: '123456' } }),
  'phoneNumbers',
)
const body = bodyCases({ phone_code: '966', phone: '0512345678', otp: '123456' })

/** Sends a code to a new number. Returns both and a wrong code. */
async function numberWithCode(
  world: World,
): Promise<{ phone_code: string; phone: string; otp: string; wrong: string }> {
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const otp = world.codesTo(phone)[0] ?? ''
  return { phone_code: '966', phone, otp, wrong: otp === '000000' ? '000001' : '000000' }
}

contract('confirmPhone', {
  200: {
    'confirms the code that was sent': async (send, world, t) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      const received = await send({ form })
      t.same(received.body, { status: true, code: 200, message: 'The phone number was confirmed.', data: null })
      return received
    },
    'confirms the same code again, so that lost responses can be retried': async (send, world) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      await send({ form })
      return send({ form })
    },
    'accepts Arabic-Indic digits in JSON': async (send, world) => {
      const { phone_code, phone, otp } = await numberWithCode(world)
      const arabic = otp.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
      return send({ json: { phone_code, phone, otp: arabic } })
    },
    'accepts the code of a first SMS that arrives after the second': async (send, world) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      world.wait(4 * MINUTE_MS)
      await world.send('checkPhone')({ form: { phone_code: '966', phone: form.phone } })
      world.wait(4 * MINUTE_MS)
      return send({ form })
    },
    'accepts the right code after four wrong ones': async (send, world) => {
      const { wrong, ...form } = await numberWithCode(world)
      for (let tries = 0; tries < 4; tries++) await send({ form: { ...form, otp: wrong } })
      return send({ form })
    },
  },
  400: {
    ...common[400],
    ...body[400],
    'rejects a form without a boundary': async (send, _world, t) => {
      const received = await send({ raw: 'x', type: 'multipart/form-data' })
      t.equal(received.headers['error-code'], 'multipart_boundary_missing')
      return received
    },
    'rejects a wrong code': async (send, world, t) => {
      const { wrong, ...form } = await numberWithCode(world)
      const received = await send({ form: { ...form, otp: wrong }, language: 'ar' })
      t.same(received.body, { status: false, code: 400, message: 'رمز التحقق غير صحيح.', data: null })
      t.equal(received.headers['error-code'], 'otp_wrong')
      return received
    },
    'rejects a number without a code': (send, world) =>
      send({ form: { phone_code: '966', phone: world.newPhone(), otp: '123456' } }),
    'rejects an expired code': async (send, world) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      world.wait(5 * MINUTE_MS)
      return send({ form })
    },
    'rejects the code of another number': async (send, world) => {
      const { otp } = await numberWithCode(world)
      const other = await numberWithCode(world)
      return send({ form: { phone_code: '966', phone: other.phone, otp: otp === other.otp ? other.wrong : otp } })
    },
    'rejects a confirmation that was not used within 30 minutes': async (send, world) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      await send({ form })
      world.wait(31 * MINUTE_MS)
      return send({ form })
    },
  },
  413: body[413],
  415: body[415],
  422: {
    'rejects a code of letters and an invalid number': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: 'x', otp: 'abcdef' } })
      t.same(received.body.data.codes, { phone: ['too_short', 'wrong_format'], otp: ['wrong_format'] })
      return received
    },
    'rejects a code that is too short': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: '0512345678', otp: '12345' } })
      t.same(received.body.data.codes, { otp: ['too_short', 'wrong_format'] })
      return received
    },
  },
  429: {
    'rejects the right code after five wrong ones': async (send, world, t) => {
      const { wrong, ...form } = await numberWithCode(world)
      for (let tries = 0; tries < 5; tries++) t.equal((await send({ form: { ...form, otp: wrong } })).status, 400)
      const received = await send({ form })
      t.equal(received.headers['error-code'], 'otp_tries_exhausted')
      return received
    },
    'limits wrong codes per number and day': async (send, world, t) => {
      const { wrong, ...form } = await numberWithCode(world)
      for (let tries = 0; tries < 5; tries++) await send({ form: { ...form, otp: wrong } })
      world.wait(10 * MINUTE_MS)
      await world.send('checkPhone')({ form: { phone_code: '966', phone: form.phone } })
      for (let tries = 0; tries < 5; tries++) await send({ form: { ...form, otp: wrong } })
      world.wait(MINUTE_MS)
      const received = await send({ form })
      t.ok(Number(received.headers['retry-after']) > 20 * 60 * 60)
      return received
    },
    'limits wrong codes per client address': async (send, world, t) => {
      const numbers = Array.from({ length: 65 }, () => world.newPhone())
      const responses = await Promise.all(
        numbers.map((phone) => send({ form: { phone_code: '966', phone, otp: '123456' } })),
      )
      t.equal(responses.filter(({ status }) => status === 400).length, 60)
      const received = await send({ form: { phone_code: '966', phone: world.newPhone(), otp: '123456' } })
      t.equal(received.headers['error-code'], 'rate_limited')
      return received
    },
  },
  500: common[500],
  503: common[503],
})
