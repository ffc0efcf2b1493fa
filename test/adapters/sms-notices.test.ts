import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { openWorld } from '../support/service/world.ts'

const PER_DAY = LIMITS.sms.notices_per_day
const DAY_MS = 86_400_000

void t.test('sends three notices a day to a number, also for several accounts', async (t) => {
  const world = await openWorld()
  const { smsNotices } = world.service.app.context
  const phone = world.newPhone()
  const to = { e164: `+966${phone.slice(1)}`, callingCode: '966' }
  const send = (accountId: number): Promise<void> =>
    smsNotices.send({
      accountId,
      to,
      text: 'Your number was changed.',
      language: 'en',
      reference: 'r',
      kind: 'change',
    })
  for (let account = 1; account <= PER_DAY; account++) await send(account)
  await t.rejects(send(PER_DAY + 1), { code: 'rate_limited' })
  t.equal(world.textsTo(phone).length, PER_DAY)
  world.wait(DAY_MS + 1000)
  await send(PER_DAY + 1)
  t.equal(world.textsTo(phone).length, PER_DAY + 1)
})

void t.test('sends three notices a day for an account, also to several numbers', async (t) => {
  const world = await openWorld()
  const { smsNotices } = world.service.app.context
  const send = (): Promise<void> => {
    const to = { e164: `+966${world.newPhone().slice(1)}`, callingCode: '966' }
    return smsNotices.send({
      accountId: 900,
      to,
      text: 'Your number was changed.',
      language: 'en',
      reference: 'r',
      kind: 'change',
    })
  }
  for (let count = 0; count < PER_DAY; count++) await send()
  await t.rejects(send(), { code: 'rate_limited' })
})
