import type { FastifyInstance } from 'fastify'
import { createBackground } from '../adapters/background.ts'
import { describeDevice } from '../adapters/devices.ts'
import type { FileStorage } from '../adapters/files/storage.ts'
import { idempotencySecrets } from '../adapters/keys/idempotency-secrets.ts'
import type { KeyRing } from '../adapters/keys/key-ring.ts'
import { keyedHash } from '../adapters/keys/keyed-hash.ts'
import { openLimits, type Limits } from '../adapters/limits/index.ts'
import { noMail, observedMail } from '../adapters/mail/observed.ts'
import { aesMailSeal, recipientHash } from '../adapters/mail/seal.ts'
import type { Mail } from '../adapters/mail/smtp.ts'
import type { Outbox } from '../adapters/outbox.ts'
import type { BreachedPasswords } from '../adapters/passwords/breached-passwords.ts'
import { commonPasswords } from '../adapters/passwords/common-passwords.ts'
import { bcryptPasswords } from '../adapters/passwords/index.ts'
import { zxcvbnStrength } from '../adapters/passwords/strength/index.ts'
import { administratorReads } from '../adapters/queues/observed-queue.ts'
import type { OpenPool } from '../adapters/queues/worker-pool.ts'
import type { Config } from '../config/index.ts'
import type { Context, Essentials, PasswordParts, MailParts } from '../context.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import type { Disposers } from '../runtime/shutdown.ts'
import type { SmsConversion } from '../runtime/sms-conversion/index.ts'
import { buildFactors, buildTokens } from './credentials.ts'
import { buildFiles } from './files.ts'
import { buildSms, chooseTestNumbers } from './sms.ts'

/** The parts that are already open */
type OpenParts = Pick<Essentials, 'store' | 'lookups' | 'clock' | 'log'> & {
  keys: KeyRing
  storage: FileStorage
  outbox: Outbox
  hasDemoAccounts: boolean
  /** Signs and verifies access tokens */
  server: FastifyInstance
  observers: Observers
  conversion: SmsConversion
  openPool?: OpenPool | undefined
}

/** Opens the dependencies of all operations. */
export async function openContext(config: Config, parts: OpenParts, disposers: Disposers): Promise<Context> {
  const { store, lookups, clock, log, keys, observers } = parts
  const { recentProofSeconds, administratorsNeedFactor, nationalIdCheck } = config
  const testNumbers = chooseTestNumbers(config, parts.hasDemoAccounts)
  const passwords = await openPasswords(config, parts, disposers)
  const limits = await openRateLimits(config, parts, disposers)
  const mail = await openMail(config, parts, disposers)
  const background = createBackground(log, observers.metrics)
  const opened = { ...parts, limits, background, testNumbers }
  return {
    ...{ store, lookups, limits, clock, log, background, describeDevice },
    administratorReads: administratorReads(observers.metrics),
    idempotencySecrets: await keys.use(({ codes }) => idempotencySecrets(codes)),
    ...{ recentProofSeconds, administratorsNeedFactor, nationalIdCheck },
    ...passwords,
    ...mail,
    ...(await buildTokens(config, opened)),
    ...(await buildFactors(config, opened)),
    ...(await buildSms(config, opened)),
    ...(await buildFiles(opened, observers)),
  }
}

async function openRateLimits(
  config: Config,
  { keys, log, clock, observers }: OpenParts,
  disposers: Disposers,
): Promise<Limits> {
  const hashes = await keys.use(({ codes }) => ({ limits: keyedHash(codes, 'keys of limits') }))
  const hashKey = (key: string): string => hashes.limits(key)
  const limits = await openLimits({ ...config, prefix: config.redisPrefix, log, clock, hashKey, ...observers })
  disposers.add(() => limits.close())
  return limits
}

/** Opens the threads that hash passwords and estimate their strength. */
async function openPasswords(
  config: Config,
  { log, observers: { metrics }, openPool }: OpenParts,
  disposers: Disposers,
): Promise<PasswordParts> {
  const { bcryptCost: cost, passwordThreads: threads, passwordBreachUrl: breachUrl } = config
  const passwords = bcryptPasswords({ cost, threads, metrics, openPool })
  disposers.add(() => passwords.close())
  const passwordStrength = zxcvbnStrength({ metrics, openPool })
  disposers.add(() => passwordStrength.close())
  const breachedPasswords = await buildBreachedPasswords(breachUrl, log, metrics)
  return { passwords, passwordStrength, commonPasswords: commonPasswords(), breachedPasswords }
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

/** Opens the connection to the mail server. E-mails are delivered when their dispatcher starts. */
async function openMail(
  config: Config,
  { keys, outbox, observers, log }: OpenParts,
  disposers: Disposers,
): Promise<MailParts> {
  const { resetUrl, emailUrl, factorResetUrl } = config.mail
  const mail = await connect(config, outbox, observers)
  disposers.add(() => mail.close())
  if (!mail.isOffered) log.warn('SMTP_URL is not set: no e-mail is sent')
  const hashes = await keys.use(({ codes }) => ({ recipients: recipientHash(codes) }))
  return {
    mail,
    mailSeal: await keys.use(({ codes }) => aesMailSeal(codes)),
    recipientHash: (text) => hashes.recipients(text),
    ...{ resetUrl, emailUrl, factorResetUrl },
  }
}

/**
 * Without a mail server, development writes to the outbox; production sends no e-mail and logs a warning at the start.
 */
async function connect(
  { mail: { url, ...options }, isProduction }: Config,
  outbox: Outbox,
  observers: Observers,
): Promise<Mail> {
  if (url === undefined) return isProduction ? noMail : outbox.mail
  const { smtpMail } = await import('../adapters/mail/smtp.ts')
  return observedMail(smtpMail({ url, ...options }), observers)
}
