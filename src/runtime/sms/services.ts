import type { KeyedHash } from '../../adapters/keys/keyed-hash.ts'
import type { Limits } from '../../adapters/limits/index.ts'
import type { Outbox } from '../../adapters/outbox.ts'
import type { KeyPresses } from '../../adapters/sms/key-presses.ts'
import { listOfferedChannels, smsFailover } from '../../adapters/sms/failover.ts'
import { budgetMetrics } from '../../adapters/sms/budget-metrics.ts'
import { withBudgets } from '../../adapters/sms/budgets.ts'
import { findingRecorder } from '../../adapters/sms/fraud/record.ts'
import { fraudRules, type FraudRules } from '../../adapters/sms/fraud/rules.ts'
import { confirmationCredit } from '../../adapters/sms/fraud/unconfirmed.ts'
import { smsNotices } from '../../adapters/sms/notices.ts'
import { countRefusedSms, recordedSms, withTestNumbers } from '../../adapters/sms/decorators.ts'
import type { Config } from '../../config/index.ts'
import { EXAMPLE_TEST_NUMBERS } from '../../config/sms/index.ts'
import type { Context } from '../../context.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Observers } from '../../lib/observers.ts'
import type { SmsConversion } from './conversion/index.ts'
import { buildProviderOrder } from './providers.ts'
import { freeRequestsPerDay } from '../../adapters/captcha/index.ts'
import type { Metrics } from '../../lib/metrics.ts'

type SmsServices = Pick<Context, 'sms' | 'smsNotices' | 'smsCountries' | 'smsReset' | 'unlimitedPhones'> &
  Pick<Context, 'acceptsNumberType' | 'allowsNumberType' | 'creditConfirmation' | 'offeredChannels' | 'codeTexts'>
type Dependencies = { outbox: Outbox; limits: Limits; log: Log; clock: Clock; observers: Observers }
type Recording = { conversion: SmsConversion; networkHash: KeyedHash; keyPresses: KeyPresses }
type TestNumbers = { testNumbers: ReadonlyMap<string, string> }

/** Creates the SMS services with their budgets. Test numbers have fixed codes and are sent nothing. */
export async function buildSms(
  config: Config['sms'],
  given: Dependencies & Recording & TestNumbers,
): Promise<SmsServices> {
  const { testNumbers, outbox, limits, log, observers, conversion, networkHash, keyPresses } = given
  const { metrics } = observers
  const order = await buildProviderOrder(config, { outbox, keyPresses, observers })
  const { unconfirmed } = config.fraud
  const record = metrics && budgetMetrics({ ...config.budgets, ...unconfirmed }, metrics)
  const fraud = buildFraudRules(config, given)
  const failover = smsFailover(order, log, metrics, conversion.pauses)
  const recorded = recordedSms(failover, { record: conversion.sent, networkHash })
  const budgeted = withBudgets(config.budgets, recorded, { limits, fraud, record })
  const sms = withTestNumbers(testNumbers, countRefusedSms(budgeted, metrics))
  return {
    sms,
    smsNotices: smsNotices(config.budgets, { sms, limits, countries: config.countries }),
    smsCountries: config.countries,
    offeredChannels: listOfferedChannels(order),
    codeTexts: config.codeTexts,
    smsReset: config.reset,
    unlimitedPhones: new Set(config.areTestNumbersLimited ? [] : testNumbers.keys()),
    acceptsNumberType: (to, channel) => testNumbers.has(to.e164) || fraud.acceptsType(to, channel),
    allowsNumberType: (to, channel) => testNumbers.has(to.e164) || fraud.allowsType(to, channel),
    creditConfirmation: confirmationCredit(unconfirmed, { limits, testNumbers }),
  }
}

function buildFraudRules({ fraud }: Config['sms'], { log, clock, observers: { metrics } }: Dependencies): FraudRules {
  return fraudRules(fraud, {
    record: findingRecorder({ log, metrics, clock }),
    reject: ({ callingCode }) =>
      metrics?.count('tawthiq_sms_refused_total', { reason: 'number-type', calling_code: callingCode }),
  })
}

/**
 * Returns the configured test numbers. Development defaults to those of the examples, but only together with the demo
 * accounts: any other database may have real accounts with these numbers.
 */
export function chooseTestNumbers({ sms, hasDemoData }: Config, hasDemoAccounts: boolean): ReadonlyMap<string, string> {
  return sms.testNumbers ?? (hasDemoData && hasDemoAccounts ? EXAMPLE_TEST_NUMBERS : new Map())
}

/** Creates the challenges of networks that have used up most of a limit; undefined if none are configured. */
export async function buildChallenge(
  { captcha, sms: { budgets } }: Pick<Config, 'captcha' | 'sms'>,
  options: { log: Log; clock: Clock; metrics: Metrics | undefined },
): Promise<Context['challenge']> {
  if (!captcha) return undefined
  const { siteverifyCaptcha } = await import('../../adapters/captcha/siteverify.ts')
  return { captcha: siteverifyCaptcha(captcha, options), freePerDay: freeRequestsPerDay(budgets) }
}
