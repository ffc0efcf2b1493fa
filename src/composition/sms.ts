import type { KeyRing } from '../adapters/keys/key-ring.ts'
import { keyedHash, type KeyedHash } from '../adapters/keys/keyed-hash.ts'
import { aesSeal } from '../adapters/keys/seal.ts'
import type { Limits } from '../adapters/limits/index.ts'
import type { Outbox } from '../adapters/outbox.ts'
import { keyPresses } from '../adapters/sms/key-presses.ts'
import { inRanges, phoneNumbers } from '../adapters/sms/phone-numbers.ts'
import type { Sms } from '../adapters/sms/index.ts'
import { listOfferedChannels, smsFailover, type ProviderOrder } from '../adapters/sms/failover.ts'
import { budgetMetrics, withBudgets } from '../adapters/sms/budgets.ts'
import { findingRecorder, fraudRules, type FraudRules } from '../adapters/sms/fraud/rules.ts'
import { confirmationCredit } from '../adapters/sms/fraud/unconfirmed.ts'
import { smsNotices } from '../adapters/sms/notices.ts'
import { countRefusedSms, recordedSms, withTestNumbers } from '../adapters/sms/decorators.ts'
import type { Config } from '../config/index.ts'
import { EXAMPLE_TEST_NUMBERS } from '../config/sms/index.ts'
import type { Context, Policies, SmsParts } from '../context.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import { startSmsConversion, type SmsConversion } from '../runtime/sms-conversion/index.ts'
import { buildProviderOrder, buildReceiptReaders } from './sms-providers.ts'
import { freeRequestsPerDay } from '../adapters/captcha/index.ts'
import type { Metrics } from '../lib/metrics.ts'
import { countRejectedNumbers, observeSms } from '../runtime/observation/sms.ts'
import type { Disposers } from '../runtime/shutdown.ts'
import type { Store } from '../store/index.ts'

type Dependencies = {
  keys: KeyRing
  outbox: Outbox
  limits: Limits
  log: Log
  clock: Clock
  observers: Observers
  conversion: SmsConversion
  testNumbers: ReadonlyMap<string, string>
}
type SmsPolicies = Pick<Policies, 'smsCountries' | 'smsReset'>

/** Creates the providers of SMS and calls, with their budgets. Test numbers have fixed codes and are sent nothing. */
export async function buildSms(config: Config, given: Dependencies): Promise<SmsParts & SmsPolicies> {
  const { keys, testNumbers, outbox, limits, log, clock, observers, conversion } = given
  const { metrics } = observers
  const { budgets, countries, codeTexts, reset, areTestNumbersLimited, numberRanges, fraud: fraudOptions } = config.sms
  const hashes = await keys.use(({ codes }) => ({ networks: keyedHash(codes, 'networks of codes') }))
  const networkHash: KeyedHash = (text) => hashes.networks(text)
  const presses = await keys.use(({ codes }) => keyPresses(aesSeal(codes, 'tawthiq calls, version 1'), clock))
  const order = await buildProviderOrder(config.sms, { outbox, keyPresses: presses, observers })
  const isAdded = inRanges(numberRanges)
  const fraud = fraudRules(fraudOptions, {
    record: findingRecorder({ log, metrics, clock }),
    reject: ({ callingCode }) =>
      metrics?.count('tawthiq_sms_refused_total', { reason: 'number-type', calling_code: callingCode }),
  })
  const sms = buildSender(config.sms, order, { ...given, fraud, networkHash })
  return {
    phoneNumbers: phoneNumbers(isAdded, countRejectedNumbers(log)),
    sms,
    smsNotices: smsNotices(budgets, { sms, limits, countries }),
    offeredChannels: listOfferedChannels(order),
    acceptsNumberType: (to, channel, isRequested) =>
      testNumbers.has(to.e164) || isAdded(to.e164) || fraud.acceptsType(to, channel, isRequested),
    creditConfirmation: confirmationCredit(fraudOptions.unconfirmed, { limits, testNumbers }),
    challenge: await buildChallenge(config, { log, clock, metrics }),
    smsReceipts: await buildReceiptReaders(config.sms, { clock, log }),
    keyPresses: presses,
    evaluateSmsProviders: conversion.evaluate,
    codeTexts,
    networkHash,
    unlimitedPhones: new Set(areTestNumbersLimited ? [] : testNumbers.keys()),
    smsCountries: countries,
    smsReset: reset,
  }
}

type SenderParts = Dependencies & { fraud: FraudRules; networkHash: KeyedHash }

/** Connects what a message passes before it is sent, from the last step to the first. */
function buildSender(
  { budgets, fraud: { unconfirmed } }: Config['sms'],
  order: ProviderOrder,
  { limits, log, observers: { metrics }, conversion, fraud, networkHash, testNumbers }: SenderParts,
): Sms {
  const record = metrics && budgetMetrics({ ...budgets, ...unconfirmed }, metrics)
  const failover = smsFailover(order, log, metrics, conversion.pauses)
  const recorded = recordedSms(failover, { record: conversion.sent, networkHash })
  const budgeted = withBudgets(budgets, recorded, { limits, fraud, record })
  return withTestNumbers(testNumbers, countRefusedSms(budgeted, metrics))
}

/**
 * Returns the configured test numbers. Development defaults to those of the examples, but only together with the demo
 * accounts: any other database may have real accounts with these numbers.
 */
export function chooseTestNumbers({ sms, hasDemoData }: Config, hasDemoAccounts: boolean): ReadonlyMap<string, string> {
  return sms.testNumbers ?? (hasDemoData && hasDemoAccounts ? EXAMPLE_TEST_NUMBERS : new Map())
}

/** Creates the challenges of networks that have used up most of a limit; undefined if none are configured. */
async function buildChallenge(
  { captcha, sms: { budgets } }: Pick<Config, 'captcha' | 'sms'>,
  options: { log: Log; clock: Clock; metrics: Metrics | undefined },
): Promise<Context['challenge']> {
  if (!captcha) return undefined
  const { siteverifyCaptcha } = await import('../adapters/captcha/siteverify.ts')
  return { captcha: siteverifyCaptcha(captcha, options), freePerDay: freeRequestsPerDay(budgets) }
}

type RecordingParts = { clock: Clock; log: Log; metrics: Metrics | undefined }

/** Starts to record what becomes of SMS, by which providers are evaluated. */
export async function recordSms(
  { sms }: Config,
  stored: Store,
  { clock, log, metrics }: RecordingParts,
  disposers: Disposers,
): Promise<{ store: Store; conversion: SmsConversion }> {
  const conversion = await startSmsConversion(sms, { smsMessages: stored.smsMessages, clock, log, metrics })
  disposers.add(() => conversion.stop())
  return { store: observeSms(stored, { metrics, onConfirmed: conversion.confirmed }), conversion }
}
