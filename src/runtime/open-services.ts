// Opens the parts of the service that operations need besides the database.
import { createBackground } from '../adapters/background.ts'
import type { KeyRing } from '../adapters/keys/key-ring.ts'
import { keyedHash } from '../adapters/keys/keyed-hash.ts'
import { openLimits } from '../adapters/limits/index.ts'
import type { Outbox } from '../adapters/outbox.ts'
import type { OpenPool } from '../adapters/queues/worker-pool.ts'
import type { Config } from '../config/index.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Observers } from '../lib/observers.ts'
import type { Store } from '../store/index.ts'
import { prepareDemoAccounts } from './demo-accounts.ts'
import type { Disposers } from './shutdown.ts'
import { buildMail, buildPasswords, openStorage, type PasswordServices } from './factories.ts'
import { openFileStore, type FileStore } from './file-store/index.ts'
import { watchOwnership } from './file-store/ownership-status.ts'
import { observeSms } from './observation/sms.ts'
import { startSmsConversion, type SmsConversion } from './sms/conversion/index.ts'

type FileParts = { store: Store; clock: Clock; log: Log; observers: Observers }

/** Opens the file store, and adds the demo accounts and their files if they are configured. */
export async function openFiles(
  config: Config,
  { store, clock, log, observers }: FileParts,
): Promise<{ fileStore: FileStore; hasDemoAccounts: boolean }> {
  const fileStore = openFileStore({ storage: await openStorage(config, observers), store, clock, log })
  watchOwnership(observers.metrics, fileStore.status)
  const isReachable = await fileStore.start()
  const hasDemoAccounts = await prepareDemoAccounts(store, isReachable ? fileStore.storage : undefined, config, log)
  return { fileStore, hasDemoAccounts }
}

type Recording = { clock: Clock; log: Log; metrics: Metrics | undefined }

/** Starts to record what becomes of SMS, by which providers are judged. */
export async function recordSms(
  { sms }: Config,
  stored: Store,
  { clock, log, metrics }: Recording,
  disposers: Disposers,
): Promise<{ store: Store; conversion: SmsConversion }> {
  const conversion = await startSmsConversion(sms, { smsMessages: stored.smsMessages, clock, log, metrics })
  disposers.add(() => conversion.stop())
  return { store: observeSms(stored, { metrics, onConfirmed: conversion.confirmed }), conversion }
}

type Services = PasswordServices & Pick<Context, 'limits' | 'mail' | 'background'>
type ServiceDependencies = {
  keys: KeyRing
  outbox: Outbox
  log: Log
  clock: Clock
  observers: Observers
  openPool?: OpenPool | undefined
}

/** Opens what operations need besides the store. These parts are closed after the server. */
export async function openServices(
  config: Config,
  { keys, outbox, log, clock, observers, openPool }: ServiceDependencies,
  disposers: Disposers,
): Promise<Services> {
  const passwordServices = await buildPasswords(config, { log, observers, openPool })
  disposers.add(() => passwordServices.passwords.close())
  disposers.add(() => passwordServices.passwordStrength.close())
  const hashes = await keys.use(({ codes }) => ({ limits: keyedHash(codes, 'keys of limits') }))
  const hashKey = (key: string): string => hashes.limits(key)
  const limits = await openLimits({ ...config, prefix: config.redisPrefix, log, clock, hashKey, ...observers })
  disposers.add(() => limits.close())
  const mail = await buildMail(config, outbox, observers)
  disposers.add(() => mail.close())
  if (!mail.isOffered) log.warn('SMTP_URL is not set: no e-mail is sent')
  return { ...passwordServices, limits, mail, background: createBackground(log, observers.metrics) }
}
