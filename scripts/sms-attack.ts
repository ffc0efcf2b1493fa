// Attacks on the budgets of SMS, with the real counters and rules and a clock of their own.
import { simulateAttack, type AttackOptions } from './sms-attack/attack.ts'

const COMMON = { perDay: 2000, requests: 10_000, networks: 500, redisUrl: process.env['REDIS_URL'] }
const ATTACKS: Readonly<Record<string, AttackOptions>> = {
  'with a CAPTCHA, in 10 minutes': { ...COMMON, hasCaptcha: true, minutes: 10 },
  'without a CAPTCHA, in 10 minutes': { ...COMMON, hasCaptcha: false, minutes: 10 },
  'without a CAPTCHA, in 6 hours': { ...COMMON, hasCaptcha: false, minutes: 360 },
  'with solved challenges, in 10 minutes': { ...COMMON, hasCaptcha: true, isSolving: true, minutes: 10 },
}

/** Prints what attacks cost, and what new users got. With REDIS_URL, the counters are in Redis. */
export async function simulateAttacks(): Promise<void> {
  const { perDay, requests, networks } = COMMON
  console.log(`${requests} hostile requests from ${networks} networks; ${perDay} unconfirmed SMS per day\n`)
  const HEAD = ['Attack', 'Hostile SMS', 'Users: 1st try', '2nd try', 'none', 'Minutes to recover']
  const rows = [HEAD]
  for (const [title, options] of Object.entries(ATTACKS)) {
    const { hostileSent, users, recoveryMinutes } = await simulateAttack(options)
    const figures = [hostileSent, users.first, users.second, users.none, recoveryMinutes.toFixed(1)]
    rows.push([title, ...figures.map(String)])
  }
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}
