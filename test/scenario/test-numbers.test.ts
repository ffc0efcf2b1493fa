// Numbers that are sent nothing and take a fixed code.
import t from 'tap'
import { readConfig } from '../../src/config.ts'
import { openService } from '../support/service.ts'
import { openWorld } from '../support/world.ts'

const CODE = '908172'
const { sms } = readConfig({ SMS_TEST_NUMBERS: `+966500000099=${CODE}, +966500000098=${CODE}` })
const service = await openService({ level: 'trace', config: { sms } })
t.teardown(() => service.close())

const number = { phone_code: '966', phone: '0500000099' }
const wrong = { ...number, otp: '000000' }

void t.test('a test number takes its code, and nothing is sent', async (t) => {
  const world = await openWorld(service)
  t.equal(
    (await world.send('confirmPhone')({ form: { ...number, otp: CODE } })).status,
    400,
    'not before it is asked for',
  )
  t.equal((await world.send('checkPhone')({ form: number })).status, 200)
  t.same(service.app.outbox?.messages, [])

  t.equal((await world.send('checkPhone')({ form: number })).headers['error-code'], 'otp_cooldown')
  t.equal((await world.send('confirmPhone')({ form: wrong })).status, 400, 'and no other code')
  t.equal((await world.send('confirmPhone')({ form: { ...number, otp: CODE } })).status, 200)
  t.notMatch(service.log.join(''), CODE, 'the code is not logged')
})

void t.test('its tries are used up like those of others', async (t) => {
  const world = await openWorld(service)
  const other = { ...number, phone: '0500000098' }
  await world.send('checkPhone')({ form: other })
  for (let tries = 0; tries < 5; tries++) await world.send('confirmPhone')({ form: { ...other, otp: '000000' } })
  const received = await world.send('confirmPhone')({ form: { ...other, otp: CODE } })
  t.equal(received.headers['error-code'], 'otp_tries_exhausted')
})

void t.test('other numbers do not take it', async (t) => {
  const world = await openWorld(service)
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { ...number, phone } })
  t.equal(world.textsTo(phone).length, 1)
  t.equal((await world.send('confirmPhone')({ form: { ...number, phone, otp: CODE } })).status, 400)
})
