import { Cluster, Redis, ReplyError } from 'ioredis'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { parseRedisUrl, type RedisUrl } from '../../lib/redis-url.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { watchCircuit } from '../resilience/circuit.ts'

export type RedisClient = Redis | Cluster

export type RedisServer = Readonly<{
  url: string
  /** Credentials that the URL does not contain, and the path of a certificate authority */
  access?:
    | Readonly<{ password?: string | undefined; sentinelPassword?: string | undefined; caFile?: string | undefined }>
    | undefined
}>

export const CONNECT_MS_MAX = 1000
const RECONNECT_MS_MAX = 1000
/** The connection is replaced when it has been silent for longer while commands were waiting. */
const SILENCE_MS_MAX = 2000

/** Creates a client for one server, for the master that sentinels name, or for a cluster. It connects at once. */
export function createClient({ url, access = {} }: RedisServer): RedisClient {
  const server = parseRedisUrl(url)
  if (!server) throw new StartupError('REDIS_URL is invalid.')
  const tls = server.isTls ? tlsOptions(access.caFile) : undefined
  const shared = { ...CONNECTION, ...(tls && { tls }) }
  if (server.kind === 'single') return new Redis(plainUrl(server.url, access.password), { ...shared, ...RECONNECT })
  const owned = { ...shared, ...credentials(server, access.password) }
  if (server.kind === 'cluster') return createCluster(server, owned)
  const sentinelPassword = access.sentinelPassword
  return new Redis({
    ...owned,
    ...RECONNECT,
    sentinels: server.hosts.map((host) => ({ ...host })),
    name: server.master,
    db: server.database,
    sentinelRetryStrategy: reconnectAfter,
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
  })
}

/** Rejects with the first error of a client, or after a time. */
export async function untilReady(client: RedisClient): Promise<void> {
  await once(client, 'ready', { signal: AbortSignal.timeout(CONNECT_MS_MAX) })
}

type Credentials = { username?: string; password?: string }
type Settings = Credentials & typeof CONNECTION & { tls?: ConnectionOptions }

const CONNECTION = { connectTimeout: CONNECT_MS_MAX, socketTimeout: SILENCE_MS_MAX, maxRetriesPerRequest: 0 }
const RECONNECT = { enableOfflineQueue: false, retryStrategy: reconnectAfter }

function reconnectAfter(attempts: number): number {
  return Math.min(attempts * 100, RECONNECT_MS_MAX)
}

/** Names are looked up by TLS, which compares them with the certificate. */
function createCluster({ hosts, isTls }: RedisUrl, redisOptions: Settings): Cluster {
  return new Cluster(
    hosts.map((host) => ({ ...host })),
    {
      redisOptions,
      enableOfflineQueue: false,
      clusterRetryStrategy: reconnectAfter,
      slotsRefreshTimeout: CONNECT_MS_MAX,
      ...(isTls && { dnsLookup: (name, done) => done(null, name) }),
    },
  )
}

function credentials(server: Exclude<RedisUrl, { kind: 'single' }>, other: string | undefined): Credentials {
  const { user, password = other } = server
  return { ...(user !== undefined && { username: user }), ...(password !== undefined && { password }) }
}

/** Returns a URL without TLS, which has options of its own, and with a password: an empty one would override the option. */
function plainUrl(text: string, password: string | undefined): string {
  const url = new URL(text.replace(/^rediss:/, 'redis:'))
  if (password !== undefined) url.password = encodeURIComponent(password)
  return url.href
}

/** @throws StartupError if the certificate authority cannot be read */
function tlsOptions(caFile: string | undefined): ConnectionOptions {
  if (caFile === undefined) return {}
  try {
    return { ca: readFileSync(caFile) }
  } catch (error) {
    throw new StartupError(`The file of REDIS_CA_FILE cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

/** A command that takes longer counts as failed. */
const COMMAND_MS_MAX = 250
const PROBE_EVERY_MS = 1000

export type RedisConnection = {
  /** For libraries that send their own commands, inside `execute` */
  client: RedisClient
  /**
   * Runs a command, and resolves to undefined when Redis is unavailable. After one failed command, no other is sent until a
   * probe succeeds: requests neither wait for Redis again nor serve as the probe.
   */
  execute<Result>(command: () => Promise<Result>): Promise<Result | undefined>
  /** Writes, because the counters need that: a read-only replica would respond to a read. */
  probe(): Promise<unknown>
  close(): void
}

/**
 * Connects to Redis, and reconnects whenever the connection is lost or a command gets an error: after a failover, the address
 * leads to another server, while this one still responds, with `READONLY` for example. Resolves when it is ready or has failed, because the
 * service starts and runs without Redis too.
 */
export async function connectRedis(
  server: RedisServer,
  { prefix, log, metrics }: { prefix: string; log: Log; metrics?: Metrics | undefined },
): Promise<RedisConnection> {
  const client = createClient(server)
  /** Set while Redis is unavailable */
  let probing: NodeJS.Timeout | undefined
  watchCircuit(metrics, 'redis', () => (probing ? 'open' : 'closed'))

  const probe = (): Promise<unknown> => client.set(`${prefix}:probe`, '', 'PX', PROBE_EVERY_MS)
  const startProbing = (error: unknown): void => {
    if (error instanceof ReplyError && client.status === 'ready') client.disconnect(true)
    if (probing) return
    probing = setInterval(() => void withTimeout(probe()).then(stopProbing, startProbing), PROBE_EVERY_MS).unref()
    log.warn({ err: error }, 'Redis is unavailable: limits are counted in memory, and no SMS is sent')
  }
  const stopProbing = (): void => {
    clearInterval(probing)
    probing = undefined
    log.info('Redis is available again')
  }
  client.on('error', startProbing)
  await untilReady(client).catch(startProbing)
  return {
    client,
    async execute(command) {
      if (probing) return undefined
      return withTimeout(command()).catch((error: unknown) => {
        startProbing(error)
        return undefined
      })
    },
    probe,
    close() {
      clearInterval(probing)
      client.disconnect()
    },
  }
}

/**
 * Rejects when a command takes too long. The rejection is delayed by two turns of the event loop: after a busy period, Node
 * runs overdue timers before it reads a response that has already arrived.
 */
async function withTimeout<Result>(command: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`Redis did not respond within ${COMMAND_MS_MAX} ms`))
    timer = setTimeout(() => setImmediate(() => setImmediate(fail)), COMMAND_MS_MAX)
  })
  return Promise.race([command, timeout]).finally(() => clearTimeout(timer))
}
