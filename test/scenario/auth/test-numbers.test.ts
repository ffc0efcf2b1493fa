// Test numbers: no SMS is sent, and a fixed code is accepted.
import t, { type Test } from 'tap'
import { readConfig, type Config } from '../../../src/config/index.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const CODE = '908172'
const SMS_TEST_NUMBERS = `+966500000099=${CODE}, +966500000098=${CODE}`
const { sms } = readConfig({ NODE_ENV: 'test', SMS_TEST_NUMBERS })
const service = await openService({ level: 'trace', config: { sms } })
t.teardown(() => service.close())

const PRODUCTION = {
  DATABASE_URL: 'postgresql://localhost/x',
  REDIS_URL: 'redis://localhost',
  SMS_PROVIDERS: 'webhook',
  SMS_WEBHOOK_URL: 'https://sms.example',
  FILES_DIR: '/files',
  KEYS_FILE: '/keys.json',
}
const number = { phone_code: '966', phone: '0500000099' }
const wrong = { ...number, otp: '000000' }

void t.test('accepts the fixed code of a test number and sends nothing', async (t) => {
  const world = await openWorld(service)
  t.equal(
    (await world.send('confirmPhone')({ form: { ...number, otp: CODE } })).status,
    400,
    'not before a code is requested',
  )
  t.equal((await world.send('checkPhone')({ form: number })).status, 200)
  t.same(service.app.outbox?.messages, [])

  t.equal((await world.send('checkPhone')({ form: number })).headers['error-code'], 'otp_cooldown')
  t.equal((await world.send('confirmPhone')({ form: wrong })).status, 400, 'no other code is accepted')
  t.equal((await world.send('confirmPhone')({ form: { ...number, otp: CODE } })).status, 200)
  t.notMatch(service.log.join(''), CODE, 'the code is not logged')
})

void t.test('limits the attempts of a test number', async (t) => {
  const world = await openWorld(service)
  const other = { ...number, phone: '0500000098' }
  await world.send('checkPhone')({ form: other })
  for (let tries = 0; tries < 5; tries++) await world.send('confirmPhone')({ form: { ...other, otp: '000000' } })
  const received = await world.send('confirmPhone')({ form: { ...other, otp: CODE } })
  t.equal(received.headers['error-code'], 'otp_tries_exhausted')
})

void t.test('rejects the fixed code for other numbers', async (t) => {
  const world = await openWorld(service)
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { ...number, phone } })
  t.equal(world.textsTo(phone).length, 1)
  t.equal((await world.send('confirmPhone')({ form: { ...number, phone, otp: CODE } })).status, 400)
})

async function worldWith(t: Test, config: Partial<Config>): Promise<World> {
  const service = await openService({ config })
  t.teardown(() => service.close())
  return openWorld(service)
}

void t.test('has no cooldown and no limit for test numbers in development', async (t) => {
  const world = await worldWith(t, { sms: readConfig({ NODE_ENV: 'development', SMS_TEST_NUMBERS }).sms })
  const other = { ...number, phone: world.newPhone() }
  for (let sends = 0; sends < 30; sends++) {
    const received = await world.send('checkPhone')({
      form: number,
      headers: { 'x-forwarded-for': `192.0.2.${sends}` },
    })
    t.equal(received.status, 200, `send ${sends}`)
  }
  t.equal((await world.send('confirmPhone')({ form: { ...number, otp: CODE } })).status, 200)
  t.equal((await world.send('checkPhone')({ form: other })).status, 200)
  t.equal(
    (await world.send('checkPhone')({ form: other })).headers['error-code'],
    'otp_cooldown',
    'other numbers have a cooldown',
  )

  const second = { ...number, phone: '0500000098' }
  await world.send('checkPhone')({ form: second })
  for (let tries = 0; tries < 5; tries++) await world.send('confirmPhone')({ form: { ...second, otp: '000000' } })
  const last = await world.send('confirmPhone')({ form: { ...second, otp: CODE } })
  t.equal(last.headers['error-code'], 'otp_tries_exhausted', 'wrong attempts count')
})

void t.test('enables the default test numbers only with the demo accounts', async (t) => {
  const { sms: given } = readConfig({ NODE_ENV: 'development' })
  const example = { phone_code: '966', phone: '0512345678' }
  for (const hasDemoData of [true, false]) {
    const world = await worldWith(t, { sms: given, hasDemoData })
    t.equal((await world.send('checkPhone')({ form: example })).status, 200)
    const { status } = await world.send('confirmPhone')({ form: { ...example, otp: '493027' } })
    t.equal(status, hasDemoData ? 200 : 400)
    t.equal(world.textsTo(example.phone).length, hasDemoData ? 0 : 1)
  }
  for (const NODE_ENV of ['test', 'production']) {
    const { sms } = readConfig({ ...PRODUCTION, NODE_ENV })
    t.equal(sms.testNumbers, undefined, NODE_ENV)
    t.ok(sms.areTestNumbersLimited, NODE_ENV)
  }
})
