import type { FastifyInstance } from 'fastify'
import { createBackground } from '../adapters/background.ts'
import { describeDevice } from '../adapters/devices.ts'
import type { FileStorage } from '../adapters/files/storage.ts'
import { idempotencySecrets } from '../adapters/keys/idempotency-secrets.ts'
import type { KeyRing } from '../adapters/keys/key-ring.ts'
import { keyedHash } from '../adapters/keys/keyed-hash.ts'
import { openLimits, type Limits } from '../adapters/limits/index.ts'
import type { Outbox } from '../adapters/outbox.ts'
import { administratorReads } from '../adapters/queues/administrator-reads.ts'
import type { OpenPool } from '../adapters/queues/worker-pool.ts'
import type { Config } from '../config/index.ts'
import type { Context, Essentials } from '../context.ts'
import type { Observers } from '../lib/observers.ts'
import type { Disposers } from '../runtime/shutdown.ts'
import type { SmsConversion } from '../runtime/sms-conversion/index.ts'
import { buildFactors, buildTokens } from './credentials.ts'
import { buildFiles } from './files.ts'
import { openMail } from './mail.ts'
import { openPasswords } from './passwords.ts'
import { buildSms, chooseTestNumbers } from './sms.ts'

/** The parts that are already open */
export type OpenParts = Pick<Essentials, 'store' | 'lookups' | 'clock' | 'log'> & {
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
