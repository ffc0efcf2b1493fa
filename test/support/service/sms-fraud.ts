// Messages within budgets and rules against fraud, without providers, in this process or in Redis.
import { randomUUID } from 'node:crypto'
import { openLimits } from '../../../src/adapters/limits/index.ts'
import { withBudgets } from '../../../src/adapters/sms/budgets.ts'
import type { FindProof, FraudOptions, Proof, SmsBudgets, UnconfirmedBudgets } from '../../../src/domain/phones/sms.ts'
import { fraudRules } from '../../../src/adapters/sms/fraud/rules.ts'
import { confirmationCredit, type CreditConfirmation } from '../../../src/adapters/sms/fraud/unconfirmed.ts'
import { callingCodeOf } from '../../../src/adapters/sms/phone-numbers.ts'
import { jsonLog } from '../../../src/lib/log.ts'

type To = {
  network?: string
  purpose?: 'verification' | 'reset' | 'notice'
  /** Whether a challenge was solved, or the network is known */
  proof?: Proof
}

/** Finds one proof, which is the best that a request has. */
export const fixedProof =
  (proof: Proof): FindProof =>
  async (_, present) =>
    present === proof ? undefined : proof

export type Guarded = {
  /** Resolves to whether the message was sent. */
  send(e164: string, to?: To): Promise<boolean>
  confirm: CreditConfirmation
  /** The rules that messages would have been rejected by, in the mode `record` */
  recorded: string[][]
  moveClock(ms: number): void
  close(): void
}

type Options = {
  redisUrl?: string | undefined
  mode?: FraudOptions['mode']
  unconfirmed?: Partial<UnconfirmedBudgets>
  budgets?: Partial<SmsBudgets>
  testNumbers?: ReadonlyMap<string, string>
}

/** By default, the daily budgets are large, every message has its own network, and 966 is a home country. */
export async function openGuarded(options: Options = {}): Promise<Guarded> {
  const { redisUrl, mode = 'enforce', budgets, testNumbers = new Map() } = options
  let shiftMs = 0
  const clock = { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs }
  const limits = await openLimits({ redisUrl, prefix: `test-${randomUUID()}`, log: jsonLog('silent'), clock })
  const recorded: string[][] = []
  const unconfirmed = {
    homeCountries: new Set(['966']),
    perHomeCountry: 1000,
    perOtherCountry: 40, // 20 at once, 10 of them without proof
    networkPercent: 100,
    ...options.unconfirmed,
  }
  const fraud = fraudRules({ mode, unconfirmed }, { record: (rules) => recorded.push([...rules]) })
  const sms = withBudgets(
    { perDay: 100_000, perCountryPerDay: 100_000, networkPercent: 100, resetPercent: 0, ...budgets },
    { send: async () => ({ outcome: 'taken' }) },
    { limits, fraud },
  )
  return {
    recorded,
    confirm: confirmationCredit(unconfirmed, { limits, testNumbers }),
    moveClock: (ms) => (shiftMs += ms),
    close: () => limits.close(),
    async send(e164, { network = randomUUID(), purpose = 'verification', proof = 'none' } = {}) {
      const to = { e164, callingCode: callingCodeOf(e164) }
      const content = { text: '', reference: '', language: 'en', channel: 'sms' } as const
      return sms
        .send({
          to,
          ...content,
          network,
          purpose,
          findProof: fixedProof(proof),
        })
        .then(
          () => true,
          () => false,
        )
    },
  }
}

/** Returns numbers of a country that share no range. */
export function farNumbers(callingCode: string): (at: number) => string {
  return (at) => `+${callingCode}${1_000_000_000 + at * 1_000_003}`
}
