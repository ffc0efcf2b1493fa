// Creates the parts of the service that depend on the configuration. Clients of other systems are loaded only if they are
// configured, because they take time and memory.
import type { BreachedPasswords } from '../adapters/passwords/breached-passwords.ts'
import { commonPasswords } from '../adapters/passwords/common-passwords.ts'
import type { EventWebhook } from '../adapters/events/webhook.ts'
import { directoryStorage } from '../adapters/files/directory.ts'
import { guardedStorage } from '../adapters/files/guarded.ts'
import type { FileStorage } from '../adapters/files/storage.ts'
import { makeKeyFileIfMissing } from '../adapters/keys/key-file.ts'
import { describeKeyFile, readPrivateFile } from '../adapters/keys/private-file.ts'
import { parseKeys, type Keys } from '../adapters/keys/index.ts'
import { zxcvbnStrength } from '../adapters/passwords/strength/index.ts'
import { bcryptPasswords } from '../adapters/passwords/index.ts'
import type { OpenPool } from '../adapters/queues/worker-pool.ts'
import type { Outbox } from '../adapters/outbox.ts'
import { noMail, observedMail } from '../adapters/mail/observed.ts'
import type { Mail } from '../adapters/mail/smtp.ts'
import { tracedStorage } from '../adapters/tracing/storage.ts'
import type { Config } from '../config/index.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import type { DatabaseTarget } from '../database/index.ts'

export function chooseDatabase(config: Config): DatabaseTarget {
  const { databaseUrl: url, databaseConnections: connectionsMax, databasePassword: password, dataDir } = config
  const { databasePooler: pooler, databaseDirectUrl: directUrl, migratesAtStart: migrates } = config
  return url === undefined
    ? { directory: dataDir, migrates }
    : { url, connectionsMax, password, pooler, directUrl, migrates }
}

export async function openStorage(
  { files }: Config,
  { metrics, tracer }: Partial<Observers> = {},
): Promise<FileStorage> {
  const guard = { ...files.guard, metrics }
  if ('directory' in files) return guardedStorage(directoryStorage(files.directory), guard)
  const { s3Storage } = await import('../adapters/files/s3.ts')
  return guardedStorage(tracedStorage(s3Storage({ ...files.s3, traceHeaders: tracer?.headers }), tracer), guard)
}

export function loadKeys(config: Config): Keys {
  const { text, name } = loadKeyText(config)
  return parseKeys(text, name)
}

/** Returns the text of the keys, and its name in errors. Development creates a key file that is missing. */
export function loadKeyText({ keys, isProduction }: Config): { text: string; name: string } {
  if ('text' in keys) return { text: keys.text, name: 'KEYS' }
  if (!isProduction) makeKeyFileIfMissing(keys.file)
  return { text: readPrivateFile(keys.file), name: describeKeyFile(keys.file) }
}

/**
 * Without a mail server, development writes to the outbox; production sends no e-mail and logs a warning at the start.
 */
export async function buildMail(
  { mail: { url, ...options }, isProduction }: Config,
  outbox: Outbox,
  observers: Observers,
): Promise<Mail> {
  if (url === undefined) return isProduction ? noMail : outbox.mail
  const { smtpMail } = await import('../adapters/mail/smtp.ts')
  return observedMail(smtpMail({ url, ...options }), observers)
}

/** Stores passwords and checks new ones */
export type PasswordServices = Pick<Context, 'passwords' | 'passwordStrength' | 'commonPasswords' | 'breachedPasswords'>

type PasswordDependencies = { log: Log; observers: Observers; openPool?: OpenPool | undefined }

export async function buildPasswords(
  config: Config,
  { log, observers: { metrics }, openPool }: PasswordDependencies,
): Promise<PasswordServices> {
  const { bcryptCost: cost, passwordThreads: threads, passwordBreachUrl: breachUrl } = config
  return {
    passwords: bcryptPasswords({ cost, threads, metrics, openPool }),
    commonPasswords: commonPasswords(),
    passwordStrength: zxcvbnStrength({ metrics, openPool }),
    breachedPasswords: await buildBreachedPasswords(breachUrl, log, metrics),
  }
}

async function buildBreachedPasswords(
  url: string | undefined,
  log: Log,
  metrics: Observers['metrics'],
): Promise<BreachedPasswords> {
  if (url === undefined) return { has: () => Promise.resolve(false) }
  const { breachedPasswords } = await import('../adapters/passwords/breached-passwords.ts')
  return breachedPasswords(url, { log, metrics })
}

/** Creates the webhook; undefined if events are not delivered. Development delivers to the outbox. */
export async function buildWebhook(
  { events, hasDemoData }: Config,
  outbox: Outbox,
  { clock, tracer }: { clock: Clock; tracer: Observers['tracer'] },
): Promise<EventWebhook | undefined> {
  if (!events) return hasDemoData ? outbox.webhook : undefined
  const { eventWebhook } = await import('../adapters/events/webhook.ts')
  return eventWebhook(events, { clock, traceHeaders: tracer?.headers })
}
