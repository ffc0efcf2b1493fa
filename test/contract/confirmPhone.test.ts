import { bodyStories, commonStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import type { World } from '../support/world.ts'

const MINUTE_MS = 60_000

const common = commonStories(
  'confirmPhone',
  (world) => ({ form: { phone_code: '966', phone: world.newPhone(), otp: '123456' } }),
  'phoneNumbers',
)
const body = bodyStories({ phone_code: '966', phone: '0512345678', otp: '123456' })

/** A number that was just sent a code. */
async function numberWithCode(
  world: World,
): Promise<{ phone_code: string; phone: string; otp: string; wrong: string }> {
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const otp = /\d{6}/.exec(world.textsTo(phone)[0] ?? '')?.[0] ?? ''
  return { phone_code: '966', phone, otp, wrong: otp === '000000' ? '000001' : '000000' }
}

contract('confirmPhone', {
  200: {
    'the code that was sent': async (send, world, t) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      const received = await send({ form })
      t.same(received.body, { status: true, code: 200, message: 'The phone number was confirmed.', data: null })
      return received
    },
    'the same code again, because the answer was lost': async (send, world) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      await send({ form })
      return send({ form })
    },
    'the code in Arabic-Indic digits, in JSON': async (send, world) => {
      const { phone_code, phone, otp } = await numberWithCode(world)
      const arabic = otp.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
      return send({ json: { phone_code, phone, otp: arabic } })
    },
    'a first SMS that came after the second': async (send, world) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      world.wait(4 * MINUTE_MS)
      await world.send('checkPhone')({ form: { phone_code: '966', phone: form.phone } })
      world.wait(4 * MINUTE_MS)
      return send({ form })
    },
    'the right code after four wrong ones': async (send, world) => {
      const { wrong, ...form } = await numberWithCode(world)
      for (let tries = 0; tries < 4; tries++) await send({ form: { ...form, otp: wrong } })
      return send({ form })
    },
  },
  400: {
    ...common[400],
    ...body[400],
    'a form without its boundary': async (send, _world, t) => {
      const received = await send({ raw: 'x', type: 'multipart/form-data' })
      t.equal(received.headers['error-code'], 'multipart_boundary_missing')
      return received
    },
    'another code': async (send, world, t) => {
      const { wrong, ...form } = await numberWithCode(world)
      const received = await send({ form: { ...form, otp: wrong }, language: 'ar' })
      t.same(received.body, { status: false, code: 400, message: 'رمز التأكيد غير صحيح.', data: null })
      t.equal(received.headers['error-code'], 'otp_wrong')
      return received
    },
    'a number that was sent no code': (send, world) =>
      send({ form: { phone_code: '966', phone: world.newPhone(), otp: '123456' } }),
    'the code, too late': async (send, world) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      world.wait(5 * MINUTE_MS)
      return send({ form })
    },
    'the code of another number': async (send, world) => {
      const { otp } = await numberWithCode(world)
      const other = await numberWithCode(world)
      return send({ form: { phone_code: '966', phone: other.phone, otp: otp === other.otp ? other.wrong : otp } })
    },
    'a confirmation that was not used in time': async (send, world) => {
      const { wrong: _, ...form } = await numberWithCode(world)
      await send({ form })
      world.wait(31 * MINUTE_MS)
      return send({ form })
    },
  },
  413: body[413],
  415: body[415],
  422: {
    'a code of letters, for a number that is none': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: 'x', otp: 'abcdef' } })
      t.same(received.body.data.codes, { phone: ['too_short', 'wrong_format'], otp: ['wrong_format'] })
      return received
    },
    'a code that is too short': async (send, _world, t) => {
      const received = await send({ form: { phone_code: '966', phone: '0512345678', otp: '12345' } })
      t.same(received.body.data.codes, { otp: ['too_short', 'wrong_format'] })
      return received
    },
  },
  429: {
    'one guess too many, though it be right': async (send, world, t) => {
      const { wrong, ...form } = await numberWithCode(world)
      for (let tries = 0; tries < 5; tries++) t.equal((await send({ form: { ...form, otp: wrong } })).status, 400)
      const received = await send({ form })
      t.equal(received.headers['error-code'], 'otp_tries_exhausted')
      return received
    },
    'more wrong codes than a number may have in a day': async (send, world, t) => {
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
    'too many wrong codes from one address': async (send, world, t) => {
      const numbers = Array.from({ length: 65 }, () => world.newPhone())
      const answers = await Promise.all(
        numbers.map((phone) => send({ form: { phone_code: '966', phone, otp: '123456' } })),
      )
      t.equal(answers.filter(({ status }) => status === 400).length, 60)
      const received = await send({ form: { phone_code: '966', phone: world.newPhone(), otp: '123456' } })
      t.equal(received.headers['error-code'], 'rate_limited')
      return received
    },
  },
  500: common[500],
  503: common[503],
})
