// The parts of the service that the configuration chooses.
import { breachedPasswords, noBreachedPasswords } from './adapters/breached-passwords.ts'
import { commonPasswords } from './adapters/common-passwords.ts'
import { eventWebhook, type EventWebhook } from './adapters/event-webhook.ts'
import { directoryStorage } from './adapters/files/directory.ts'
import { guardedStorage } from './adapters/files/guarded.ts'
import type { FileStorage } from './adapters/files/storage.ts'
import { readKeyFile, readOrMakeKeyFile } from './adapters/key-file.ts'
import { parseKeys, type Keys } from './adapters/keys.ts'
import { zxcvbnStrength } from './adapters/password-strength/index.ts'
import { bcryptPasswords } from './adapters/passwords.ts'
import type { Limits } from './adapters/limits.ts'
import { smsWithin } from './adapters/sms-budgets.ts'
import { smsNotices } from './adapters/sms-notices.ts'
import { smsExcept } from './adapters/sms-test-numbers.ts'
import { webhookProvider } from './adapters/sms-webhook.ts'
import { EXAMPLE_TEST_NUMBERS, type SmsProviderConfig } from './config/sms.ts'
import type { Outbox } from './adapters/outbox.ts'
import { noMail, smtpMail, type Mail } from './adapters/mail.ts'
import { smsBy, type SmsProvider } from './adapters/sms.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Clock } from './domain/clock.ts'
import type { Log } from './log.ts'
import type { Place } from './store/database.ts'

export function placeOf({ databaseUrl, databaseConnections, dataDir }: Config): Place {
  return databaseUrl === undefined ? { folder: dataDir } : { url: databaseUrl, connectionsMax: databaseConnections }
}

/** Only who keeps files in S3 pays for the memory of its client. */
export async function storageOf({ files }: Config): Promise<FileStorage> {
  if ('folder' in files) return guardedStorage(directoryStorage(files.folder), files.guard)
  const { s3Storage } = await import('./adapters/files/s3.ts')
  return guardedStorage(s3Storage(files.s3), files.guard)
}

export function keysOf({ keys, isProduction }: Config): Keys {
  if ('text' in keys) return parseKeys(keys.text, 'KEYS')
  return isProduction ? readKeyFile(keys.file) : readOrMakeKeyFile(keys.file)
}

type SmsParts = Pick<Context, 'sms' | 'smsNotices' | 'smsCountries' | 'allowsSmsReset' | 'unlimitedPhones'>
type SmsNeeds = { testNumbers: ReadonlyMap<string, string>; outbox: Outbox; limits: Limits; log: Log }

/** Returns what sends SMS, within the budgets. Test numbers take fixed codes and are sent nothing. */
export function smsPartsOf(config: Config['sms'], { testNumbers, outbox, limits, log }: SmsNeeds): SmsParts {
  const providers = config.providers.map((provider) => providerOf(provider, outbox))
  const sms = smsExcept(testNumbers, smsWithin(config.budgets, smsBy(providers, log), limits))
  return {
    sms,
    smsNotices: smsNotices(config.budgets, { sms, limits, countries: config.countries }),
    smsCountries: config.countries,
    allowsSmsReset: config.allowsReset,
    unlimitedPhones: new Set(config.areTestNumbersLimited ? [] : testNumbers.keys()),
  }
}

function providerOf(provider: SmsProviderConfig, outbox: Outbox): SmsProvider {
  return provider.kind === 'log' ? outbox.sms : webhookProvider(provider.url, provider)
}

/**
 * The configured test numbers. Development has those of the examples by default, beside the demo accounts only: a database
 * without them may have real accounts with these numbers.
 */
export function testNumbersOf({ sms, hasDemoData }: Config, hasDemoAccounts: boolean): ReadonlyMap<string, string> {
  return sms.testNumbers ?? (hasDemoData && hasDemoAccounts ? EXAMPLE_TEST_NUMBERS : new Map())
}

/** Development reads e-mails in the outbox; production without a server sends none, and says so. */
export function mailOf({ mail: { url, ...options }, isProduction }: Config, outbox: Outbox): Mail {
  if (url !== undefined) return smtpMail({ url, ...options })
  return isProduction ? noMail : outbox.mail
}

/** What stores passwords, and what judges new ones */
type PasswordParts = Pick<Context, 'passwords' | 'passwordStrength' | 'commonPasswords' | 'breachedPasswords'>

export function passwordPartsOf(config: Config, log: Log): PasswordParts {
  const { bcryptCost: cost, passwordThreads: threads, passwordBreachUrl: breachUrl } = config
  return {
    passwords: bcryptPasswords({ cost, threads }),
    commonPasswords: commonPasswords(),
    passwordStrength: zxcvbnStrength(),
    breachedPasswords: breachUrl === undefined ? noBreachedPasswords : breachedPasswords(breachUrl, { log }),
  }
}

/** Development without a receiver delivers events to the outbox. Undefined: events are not delivered. */
export function webhookOf({ events, hasDemoData }: Config, outbox: Outbox, clock: Clock): EventWebhook | undefined {
  if (events) return eventWebhook(events, { clock })
  return hasDemoData ? outbox.webhook : undefined
}
