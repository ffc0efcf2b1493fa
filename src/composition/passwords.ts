import type { BreachedPasswords } from '../adapters/passwords/breached-passwords.ts'
import { commonPasswords } from '../adapters/passwords/common-passwords.ts'
import { bcryptPasswords } from '../adapters/passwords/index.ts'
import { zxcvbnStrength } from '../adapters/passwords/strength/index.ts'
import type { OpenPool } from '../adapters/queues/worker-pool.ts'
import type { Config } from '../config/index.ts'
import type { PasswordParts } from '../context.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import type { Disposers } from '../runtime/shutdown.ts'

type Dependencies = { log: Log; observers: Observers; openPool?: OpenPool | undefined }

/** Opens the threads that hash passwords and estimate their strength. */
export async function openPasswords(
  config: Config,
  { log, observers: { metrics }, openPool }: Dependencies,
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
