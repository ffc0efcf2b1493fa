import { Redis } from 'ioredis'
import { once } from 'node:events'
import type { Log } from '../log.ts'

/** A command that takes longer has failed. */
const COMMAND_MS_MAX = 250
const FIRST_CONNECT_MS_MAX = 1000
const RECONNECT_MS_MAX = 1000
/** A connection on which commands wait for longer is made anew. */
const SILENCE_MS_MAX = 2000
const PROBE_EVERY_MS = 1000

export type RedisLink = {
  /** For libraries that make their own commands of it, which run inside `ask` */
  client: Redis
  /**
   * Runs a command, and resolves to undefined when Redis cannot be asked. After one command that failed, Redis counts as
   * away and no other is tried until a probe comes through: nobody waits twice, and no request is the probe.
   */
  ask<Answer>(command: () => Promise<Answer>): Promise<Answer | undefined>
  close(): void
}

/**
 * A connection that comes back by itself. Resolves when it is ready or could not be made: the service starts without
 * Redis as it goes on without it.
 *
 * @param options.prefix what the key of the probe begins with
 */
export async function connectRedis(url: string, { prefix, log }: { prefix: string; log: Log }): Promise<RedisLink> {
  const client = new Redis(url, {
    connectTimeout: FIRST_CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 100, RECONNECT_MS_MAX),
  })
  /** Runs while Redis is away. */
  let probing: NodeJS.Timeout | undefined

  // A probe writes as the counters do: a server that answers, but takes no writes, is of no use to them.
  const probe = (): Promise<unknown> => client.set(`${prefix}:probe`, '', 'PX', PROBE_EVERY_MS)
  const leave = (fault: unknown): void => {
    if (probing) return
    probing = setInterval(() => void inTime(probe()).then(comeBack, () => undefined), PROBE_EVERY_MS).unref()
    log.warn({ err: fault }, 'Redis is away')
  }
  const comeBack = (): void => {
    clearInterval(probing)
    probing = undefined
    log.info('Redis is back')
  }
  client.on('error', leave)
  await once(client, 'ready', { signal: AbortSignal.timeout(FIRST_CONNECT_MS_MAX) }).catch(leave)
  return {
    client,
    async ask(command) {
      if (probing) return undefined
      return inTime(command()).catch((fault: unknown) => {
        leave(fault)
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
 * Rejects when a command takes too long. An answer that came while this process was busy is looked for first: timers that
 * are overdue run before what has arrived is read.
 */
async function inTime<Answer>(command: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error(`Redis did not answer within ${COMMAND_MS_MAX} ms`))
    timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), COMMAND_MS_MAX)
  })
  return Promise.race([command, tooLate]).finally(() => clearTimeout(timer))
}
