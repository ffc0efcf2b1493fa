import { once } from 'node:events'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { watchCircuit } from '../resilience/circuit.ts'
import { createClient, type RedisClient, type RedisServer } from './redis-client.ts'

/** A command that takes longer counts as failed. */
const COMMAND_MS_MAX = 250
const FIRST_CONNECT_MS_MAX = 1000
const PROBE_EVERY_MS = 1000

export type RedisConnection = {
  /** For libraries that send their own commands, inside `execute` */
  client: RedisClient
  /**
   * Runs a command, and resolves to undefined when Redis is unavailable. After one failed command, no other is sent until a
   * probe succeeds: requests neither wait for Redis again nor serve as the probe.
   */
  execute<Result>(command: () => Promise<Result>): Promise<Result | undefined>
  close(): void
}

/**
 * Connects to Redis, and reconnects whenever the connection is lost. Resolves when it is ready or has failed, because the
 * service starts and runs without Redis too.
 *
 * @param options.prefix the beginning of the probe's key
 */
export async function connectRedis(
  server: RedisServer,
  { prefix, log, metrics }: { prefix: string; log: Log; metrics?: Metrics | undefined },
): Promise<RedisConnection> {
  const client = createClient(server)
  /** Set while Redis is unavailable */
  let probing: NodeJS.Timeout | undefined
  watchCircuit(metrics, 'redis', () => (probing ? 'open' : 'closed'))

  // The probe is a write, as the counters need one: a read-only replica would respond to a read.
  const probe = (): Promise<unknown> => client.set(`${prefix}:probe`, '', 'PX', PROBE_EVERY_MS)
  const startProbing = (error: unknown): void => {
    if (probing) return
    probing = setInterval(() => void withTimeout(probe()).then(stopProbing, () => undefined), PROBE_EVERY_MS).unref()
    log.warn({ err: error }, 'Redis is unavailable: limits are counted in memory, and no SMS is sent')
  }
  const stopProbing = (): void => {
    clearInterval(probing)
    probing = undefined
    log.info('Redis is available again')
  }
  client.on('error', startProbing)
  await once(client, 'ready', { signal: AbortSignal.timeout(FIRST_CONNECT_MS_MAX) }).catch(startProbing)
  return {
    client,
    async execute(command) {
      if (probing) return undefined
      return withTimeout(command()).catch((error: unknown) => {
        startProbing(error)
        return undefined
      })
    },
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
