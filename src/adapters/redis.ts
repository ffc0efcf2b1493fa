import { Redis } from 'ioredis'
import { once } from 'node:events'

/** A command that takes longer has failed. */
const COMMAND_MS_MAX = 250
const FIRST_CONNECT_MS_MAX = 1000
const RECONNECT_MS_MAX = 1000

/**
 * A connection that fails at once when Redis is away, and comes back by itself. Resolves when it is ready or could not
 * be made: the service starts without Redis as it goes on without it.
 */
export async function connectRedis(url: string, onFault: (fault: Error) => void): Promise<Redis> {
  const redis = new Redis(url, {
    connectTimeout: FIRST_CONNECT_MS_MAX,
    commandTimeout: COMMAND_MS_MAX,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 100, RECONNECT_MS_MAX),
  })
  redis.on('error', onFault)
  await once(redis, 'ready', { signal: AbortSignal.timeout(FIRST_CONNECT_MS_MAX) }).catch(() => undefined)
  return redis
}
