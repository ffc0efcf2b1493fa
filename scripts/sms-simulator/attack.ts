// Attacks on the budgets of SMS, with the real counters and rules and a clock of their own.
import { openLimits } from '../../src/adapters/limits/index.ts'
import { withBudgets } from '../../src/adapters/sms/budgets.ts'
import { fraudRules } from '../../src/adapters/sms/fraud/rules.ts'
import { confirmationCredit } from '../../src/adapters/sms/fraud/unconfirmed.ts'
import type { Proof } from '../../src/domain/phones/sms.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { markdownTable } from '../generate/markdown.ts'

export type AttackOptions = Readonly<{
  hasCaptcha: boolean
  /** The budget of unconfirmed messages of the country */
  perDay: number
  requests: number
  networks: number
  /** The duration of the hostile requests */
  minutes: number
  /** Whether the attacker solves challenges too */
  isSolving?: boolean
  /** Whether accounts of the attacker know the networks */
  isKnown?: boolean
  redisUrl?: string | undefined
}>

/** What the hostile requests and the new users during the attack, one in 30 seconds, got */
export type AttackFigures = {
  hostileSent: number
  /** New users who got a code at the first and at the second try, and those who got none */
  users: { first: number; second: number; none: number }
  /** Minutes from the last hostile request until a new user gets a code */
  recoveryMinutes: number
}

const MINUTE_MS = 60_000
const USER_EVERY_MS = 30_000
/** The share of new users who confirm their code, and how long they take */
const CONFIRMED = 0.6
const CONFIRM_MS = 20_000
/** The defaults */
const BUDGETS = { perDay: 10_000, perCountryPerDay: 5000, networkPercent: 5, resetPercent: 20 }

/** Attacks a home country with requests for codes from many networks, for random numbers, and meanwhile lets users register. */
export async function simulateAttack(options: AttackOptions): Promise<AttackFigures> {
  const { hasCaptcha, perDay, requests, networks, minutes, isSolving = false, isKnown = false, redisUrl } = options
  let shiftMs = 0
  const startMs = Date.now()
  const clock = { nowMs: () => startMs + shiftMs, shiftMs: () => startMs + shiftMs - Date.now() }
  const limits = await openLimits({ redisUrl, prefix: `attack-${startMs}`, log: jsonLog('silent'), clock })
  const unconfirmed = {
    homeCountries: new Set(['966']),
    ...{ perHomeCountry: perDay, perOtherCountry: 50, networkPercent: 5 },
  }
  const fraud = fraudRules({ mode: 'enforce', unconfirmed }, { record: () => undefined })
  const sms = withBudgets(BUDGETS, { send: async () => ({ outcome: 'taken' }) }, { limits, fraud })
  const confirm = confirmationCredit(unconfirmed, { limits, testNumbers: new Map() })
  let numbers = 0
  const newNumber = (): string => `+9665${String((++numbers * 61_803_399) % 100_000_000).padStart(8, '0')}`
  const send = (e164: string, network: string, proofs: readonly Proof[]): Promise<boolean> =>
    sms
      .send({
        ...{ to: { e164, callingCode: '966' }, text: '', reference: '', language: 'ar', channel: 'sms' },
        ...{ purpose: 'verification', network, findProof: async (_, present) => proofs[proofs.indexOf(present) + 1] },
      })
      .then(
        () => true,
        () => false,
      )
  const hostile: Proof[] = [
    ...(isKnown ? (['known_network'] as const) : []),
    ...(isSolving ? (['challenge'] as const) : []),
  ]
  const figures: AttackFigures = { hostileSent: 0, users: { first: 0, second: 0, none: 0 }, recoveryMinutes: 0 }
  const confirmations: { atMs: number; phone: string; network: string }[] = []
  const admitUser = async (): Promise<boolean> => {
    const [phone, network] = [newNumber(), `user ${numbers}`]
    const isFirst = await send(phone, network, [])
    const isSent = isFirst || (hasCaptcha && (await send(phone, network, ['challenge'])))
    figures.users[isFirst ? 'first' : isSent ? 'second' : 'none']++
    if (isSent && (numbers * 7) % 10 < CONFIRMED * 10)
      confirmations.push({ atMs: shiftMs + CONFIRM_MS, phone, network })
    return isSent
  }
  const confirmDue = async (): Promise<void> => {
    while ((confirmations[0]?.atMs ?? Infinity) <= shiftMs) {
      const due = confirmations.shift()
      if (due) await confirm(due)
    }
  }

  for (let at = 0; at < requests; at++) {
    const nextMs = ((at + 1) * minutes * MINUTE_MS) / requests
    if (await send(newNumber(), `hostile ${at % networks}`, hostile)) figures.hostileSent++
    if (Math.floor(nextMs / USER_EVERY_MS) > Math.floor(shiftMs / USER_EVERY_MS)) await admitUser()
    shiftMs = nextMs
    await confirmDue()
  }
  const duringAttack = { ...figures.users }
  const endMs = shiftMs
  confirmations.length = 0 // the strictest case: nobody confirms a code after the attack
  while (!(await admitUser())) shiftMs += MINUTE_MS / 2
  limits.close()
  return { ...figures, users: duringAttack, recoveryMinutes: (shiftMs - endMs) / MINUTE_MS }
}

const COMMON = { perDay: 2000, requests: 10_000, networks: 500, redisUrl: process.env['REDIS_URL'] }
const ATTACKS: Readonly<Record<string, AttackOptions>> = {
  'with a CAPTCHA, in 10 minutes': { ...COMMON, hasCaptcha: true, minutes: 10 },
  'without a CAPTCHA, in 10 minutes': { ...COMMON, hasCaptcha: false, minutes: 10 },
  'without a CAPTCHA, in 6 hours': { ...COMMON, hasCaptcha: false, minutes: 360 },
  'with a CAPTCHA, from known networks, in 10 minutes': { ...COMMON, hasCaptcha: true, isKnown: true, minutes: 10 },
  'with solved challenges, in 10 minutes': { ...COMMON, hasCaptcha: true, isSolving: true, minutes: 10 },
}

/** Prints what attacks cost, and what new users got. With REDIS_URL, the counters are in Redis. */
export async function simulateAttacks(): Promise<void> {
  const { perDay, requests, networks } = COMMON
  console.log(`${requests} hostile requests from ${networks} networks; ${perDay} unconfirmed SMS per day\n`)
  const rows: (string | number)[][] = []
  for (const [title, options] of Object.entries(ATTACKS)) {
    const { hostileSent, users, recoveryMinutes } = await simulateAttack(options)
    rows.push([title, hostileSent, users.first, users.second, users.none, recoveryMinutes.toFixed(1)])
  }
  const head = ['Attack', 'Hostile SMS', 'Users: 1st try', '2nd try', 'none', 'Minutes to recover']
  console.log(markdownTable(head, rows))
}
