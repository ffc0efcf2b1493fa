import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKeys } from '../../src/adapters/keys/index.ts'
import type { Dependency } from './dependencies/dependency.ts'
import { at127, freePort, startPart, type Part } from './parts.ts'
import type { Session } from './session.ts'

export type Variables = Readonly<Record<string, string>>

/** An instance of the service, with the addresses of its API and of its management port */
export type Instance = { port: number; origin: string; management: string; part: Part }

const START_MS_MAX = 120_000

/** Budgets for SMS that no load reaches, also none of codes that are not confirmed */
export const SMS_BUDGETS = {
  SMS_BUDGET_PER_DAY: '100000000',
  SMS_BUDGET_PER_COUNTRY_PER_DAY: '100000000',
  SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '100000000',
  SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY: '100000000',
}

/** Returns the variables of instances in production that share all dependencies. */
export function productionVariables(dependencies: Readonly<Record<string, Dependency>>): Variables {
  return {
    NODE_ENV: 'production',
    KEYS: newKeys(),
    BCRYPT_COST: '10',
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: 'https://sms.invalid/send',
    SMS_COUNTRIES: '20',
    ...SMS_BUDGETS,
    ALLOW_INSECURE_URLS: 'SMS_WEBHOOK_URL,SMTP_URL',
    ...Object.fromEntries(Object.values(dependencies).flatMap(({ variables }) => Object.entries(variables))),
  }
}

export type Options = {
  variables: Variables
  /** The directory of another version, which is built there */
  directory?: string | undefined
  port?: number
  /** Whether there is a management port, and metrics are collected */
  isManaged?: boolean
}

/** Starts the service, and waits until it is ready. It ends with the session. */
export async function startInstance({ folder, onEnd }: Session, options: Options): Promise<Instance> {
  const { variables, directory = '.', port = await freePort(), isManaged = true } = options
  const management = await freePort()
  const bundled = resolve(directory, 'dist/service/main.js') // which versions up to 0.2.0 do not have
  const main = existsSync(bundled) ? bundled : resolve(directory, 'dist/src/main.js')
  const env = {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    PORT: String(port),
    ...(isManaged && { MANAGEMENT_PORT: String(management) }),
    NODE_ENV: 'development',
    TRUST_PROXY: '127.0.0.1',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    DATA_DIR: folder,
    UPLOADS_DIR: join(folder, `uploads-${port}`), // which it empties at its start
    ...variables,
  }
  const part = await startPart(process.execPath, ['--enable-source-maps', main], port, { env })
  onEnd(() => part.stop())
  const origin = at127(port)
  const deadlineMs = Date.now() + START_MS_MAX
  while (!(await fetch(`${origin}/health/ready`).catch(() => undefined))?.ok) {
    if (Date.now() > deadlineMs) throw new Error(`${origin} is not ready`)
    await sleep(50)
  }
  return { port, origin, management: at127(management), part }
}

/** Starts instances, one after the other. The first one creates the tables. */
export async function startInstances(session: Session, count: number, options: Options): Promise<Instance[]> {
  const instances: Instance[] = []
  while (instances.length < count) instances.push(await startInstance(session, options))
  return instances
}

/** Stops an instance, and starts another one on its port in its place. */
export async function replaceInstance(
  session: Session,
  instance: Instance,
  options: Options,
  signal?: NodeJS.Signals,
): Promise<void> {
  await instance.part.stop(signal)
  Object.assign(instance, await startInstance(session, { ...options, port: instance.port }))
}

/** Builds the last release, and returns its directory. Ends the process with 3 if this clone does not have its commit. */
export function buildLastRelease(): string {
  const { status, stdout } = spawnSync('node', ['scripts/last-release.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
  return status === 0 ? stdout.toString().trim() : process.exit(status ?? 1)
}
