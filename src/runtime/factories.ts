// Creates the parts of the service that depend on the configuration. Clients of other systems are loaded only if they are
// configured, because they take time and memory.
import type { BreachedPasswords } from '../adapters/passwords/breached-passwords.ts'
import { commonPasswords } from '../adapters/passwords/common-passwords.ts'
import type { EventWebhook } from '../adapters/events/webhook.ts'
import { directoryStorage } from '../adapters/files/directory.ts'
import { guardedStorage } from '../adapters/files/guarded.ts'
import type { FileStorage } from '../adapters/files/storage.ts'
import { readKeyFile, readOrMakeKeyFile } from '../adapters/keys/key-file.ts'
import { parseKeys, type Keys } from '../adapters/keys/index.ts'
import { zxcvbnStrength } from '../adapters/passwords/strength/index.ts'
import { bcryptPasswords } from '../adapters/passwords/index.ts'
import type { Limits } from '../adapters/limits/index.ts'
import { withBudgets } from '../adapters/sms/budgets.ts'
import { smsNotices } from '../adapters/sms/notices.ts'
import { withTestNumbers } from '../adapters/sms/test-numbers.ts'
import { EXAMPLE_TEST_NUMBERS, type SmsProviderConfig } from '../config/sms.ts'
import type { Outbox } from '../adapters/outbox.ts'
import { noMail } from '../adapters/mail/none.ts'
import type { Mail } from '../adapters/mail/smtp.ts'
import { smsFailover, type SmsProvider } from '../adapters/sms/index.ts'
import type { Config } from '../config/index.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { DatabaseTarget } from '../database/index.ts'

export function chooseDatabase({ databaseUrl, databaseConnections, dataDir }: Config): DatabaseTarget {
  return databaseUrl === undefined ? { directory: dataDir } : { url: databaseUrl, connectionsMax: databaseConnections }
}

export async function openStorage({ files }: Config): Promise<FileStorage> {
  if ('directory' in files) return guardedStorage(directoryStorage(files.directory), files.guard)
  const { s3Storage } = await import('../adapters/files/s3.ts')
  return guardedStorage(s3Storage(files.s3), files.guard)
}

export function loadKeys({ keys, isProduction }: Config): Keys {
  if ('text' in keys) return parseKeys(keys.text, 'KEYS')
  return isProduction ? readKeyFile(keys.file) : readOrMakeKeyFile(keys.file)
}

type SmsServices = Pick<Context, 'sms' | 'smsNotices' | 'smsCountries' | 'allowsSmsReset' | 'unlimitedPhones'>
type SmsDependencies = { testNumbers: ReadonlyMap<string, string>; outbox: Outbox; limits: Limits; log: Log }

/** Creates the SMS services with their budgets. Test numbers have fixed codes and are sent nothing. */
export async function buildSms(
  config: Config['sms'],
  { testNumbers, outbox, limits, log }: SmsDependencies,
): Promise<SmsServices> {
  const providers = await Promise.all(config.providers.map((provider) => buildSmsProvider(provider, outbox)))
  const sms = withTestNumbers(testNumbers, withBudgets(config.budgets, smsFailover(providers, log), limits))
  return {
    sms,
    smsNotices: smsNotices(config.budgets, { sms, limits, countries: config.countries }),
    smsCountries: config.countries,
    allowsSmsReset: config.allowsReset,
    unlimitedPhones: new Set(config.areTestNumbersLimited ? [] : testNumbers.keys()),
  }
}

async function buildSmsProvider(provider: SmsProviderConfig, outbox: Outbox): Promise<SmsProvider> {
  if (provider.kind === 'log') return outbox.sms
  const { webhookProvider } = await import('../adapters/sms/webhook.ts')
  return webhookProvider(provider.url, provider)
}

/**
 * Returns the configured test numbers. Development defaults to those of the examples, but only together with the demo
 * accounts: any other database may have real accounts with these numbers.
 */
export function chooseTestNumbers({ sms, hasDemoData }: Config, hasDemoAccounts: boolean): ReadonlyMap<string, string> {
  return sms.testNumbers ?? (hasDemoData && hasDemoAccounts ? EXAMPLE_TEST_NUMBERS : new Map())
}

/**
 * Without a mail server, development writes to the outbox; production sends no e-mail and logs a warning at the start.
 */
export async function buildMail({ mail: { url, ...options }, isProduction }: Config, outbox: Outbox): Promise<Mail> {
  if (url === undefined) return isProduction ? noMail : outbox.mail
  const { smtpMail } = await import('../adapters/mail/smtp.ts')
  return smtpMail({ url, ...options })
}

/** Stores passwords and checks new ones */
export type PasswordServices = Pick<Context, 'passwords' | 'passwordStrength' | 'commonPasswords' | 'breachedPasswords'>

export async function buildPasswords(config: Config, log: Log): Promise<PasswordServices> {
  const { bcryptCost: cost, passwordThreads: threads, passwordBreachUrl: breachUrl } = config
  return {
    passwords: bcryptPasswords({ cost, threads }),
    commonPasswords: commonPasswords(),
    passwordStrength: zxcvbnStrength(),
    breachedPasswords: await buildBreachedPasswords(breachUrl, log),
  }
}

async function buildBreachedPasswords(url: string | undefined, log: Log): Promise<BreachedPasswords> {
  if (url === undefined) return { has: () => Promise.resolve(false) }
  const { breachedPasswords } = await import('../adapters/passwords/breached-passwords.ts')
  return breachedPasswords(url, { log })
}

/** Creates the webhook; undefined if events are not delivered. Development delivers to the outbox. */
export async function buildWebhook(
  { events, hasDemoData }: Config,
  outbox: Outbox,
  clock: Clock,
): Promise<EventWebhook | undefined> {
  if (!events) return hasDemoData ? outbox.webhook : undefined
  const { eventWebhook } = await import('../adapters/events/webhook.ts')
  return eventWebhook(events, { clock })
}
