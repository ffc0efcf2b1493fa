// Ranges of numbers that libphonenumber does not know: rejected and counted, or added by the operator.
import t, { type Test } from 'tap'
import { readConfig } from '../../../src/config/index.ts'
import { settled } from '../../support/accounts/resets.ts'
import { openService, type Service } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'

/** No numbering plan has these. The Saudi one is in use; the Egyptian one is too long, as after a change of a plan. */
const RANGES = '+96652xxxxxxx,+2015xxxxxxxxxx,+9661180xxxxx'
/** The last of these is a landline by the numbering plan. */
const NUMBERS = [
  { written: '0521234567', phone_code: '966', e164: '+966521234567' },
  { written: '521234568', phone_code: '+966', e164: '+966521234568' },
  { written: '+966 52 123 4569', phone_code: '966', e164: '+966521234569' },
  { written: '00966521234561', phone_code: '966', e164: '+966521234561' },
  { written: '٠٥٢١٢٣٤٥٦٢', phone_code: '٩٦٦', e164: '+966521234562' },
  { written: '151234567890', phone_code: '20', e164: '+20151234567890' },
  { written: '0118012345', phone_code: '966', e164: '+966118012345' },
]
const OTHERS = [
  { written: '052123456', code: 'phone_invalid' },
  { written: '05212345678', code: 'phone_invalid' },
  { written: '0118112345', code: 'phone_not_mobile' },
]

async function openWith(t: Test, variables: Record<string, string>): Promise<{ world: World; service: Service }> {
  const { sms } = readConfig({ NODE_ENV: 'test', ...variables })
  const service = await openService({ config: { sms } })
  t.teardown(() => service.close())
  return { world: await openWorld(service), service }
}

void t.test('sends codes to numbers of an added range, and confirms them', async (t) => {
  const { world, service } = await openWith(t, { PHONE_NUMBER_RANGES: RANGES })
  for (const { written, phone_code, e164 } of NUMBERS) {
    const number = { phone: written, phone_code }
    world.wait(3_600_000)
    t.match(await world.send('checkPhone')({ json: number }), { status: 200 }, written)
    await settled(world)
    const sent = service.app.outbox?.messages.find(({ to }) => to === e164)
    const otp = /\d{6}/.exec(sent?.text ?? '')?.[0]
    t.match(await world.send('confirmPhone')({ json: { ...number, otp } }), { status: 200 }, written)
  }
  for (const { written, code } of OTHERS) {
    const rejected = await world.send('checkPhone')({ json: { phone: written, phone_code: '966' } })
    t.match(rejected, { status: 422, body: { data: { codes: { phone: [code] } } } }, written)
  }
})

void t.test('logs how many numbers of a range were rejected', async (t) => {
  const { world, service } = await openWith(t, {})
  for (let at = 0; at < 101; at++) {
    world.wait(60_000)
    const phone = `052${String(1_000_000 + at)}`
    t.match(await world.send('checkPhone')({ json: { phone, phone_code: '966' } }), { status: 422 })
  }
  const lines = service.log.filter((line) => line.includes('unknown range')).map((line) => JSON.parse(line) as object)
  t.match(lines, [
    { range: '+96652xxxxxxx', count: 10 },
    { range: '+96652xxxxxxx', count: 100 },
  ])
})
