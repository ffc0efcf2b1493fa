// Attacks on the budgets of SMS, as `npm run sms-simulator -- attack` simulates them.
import t from 'tap'
import { simulateAttack } from '../../scripts/sms-simulator/attack.ts'

const redisUrl = process.env['REDIS_URL']
const ATTACK = { perDay: 2000, requests: 10_000, networks: 500, minutes: 10, redisUrl }

void t.test('lets every new user in at the second try with a CAPTCHA, within the budget', async (t) => {
  const { hostileSent, users } = await simulateAttack({ ...ATTACK, hasCaptcha: true })
  t.equal(users.none, 0)
  t.ok(users.second > 0, 'the attack used up the free share')
  t.ok(hostileSent <= ATTACK.perDay * 1.1, `${hostileSent} messages`)
})

void t.test(
  'lets every new user in with a solved challenge while accounts of the attacker know 500 networks',
  async (t) => {
    const { hostileSent, users } = await simulateAttack({ ...ATTACK, hasCaptcha: true, isKnown: true })
    t.equal(users.none, 0)
    t.ok(users.second > 0, 'the attack used up the share of known networks')
    t.ok(hostileSent <= ATTACK.perDay, `${hostileSent} messages`)
  },
)

void t.test('lets new users in 15 minutes after an attack without a CAPTCHA, within the daily figure', async (t) => {
  const { hostileSent, users, recoveryMinutes } = await simulateAttack({ ...ATTACK, hasCaptcha: false })
  t.ok(users.none > 0, 'the attack used up the free share')
  t.ok(recoveryMinutes <= 15, `${recoveryMinutes} minutes`)
  t.ok(hostileSent <= ATTACK.perDay, `${hostileSent} messages`)
})
