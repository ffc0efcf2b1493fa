import { Redis } from 'ioredis'

/** A command that takes longer has failed. */
const COMMAND_MS_MAX = 250
const RECONNECT_MS_MAX = 1000

/** A connection that fails at once when Redis is away, and comes back by itself. */
export function connectRedis(url: string, onFault: (fault: Error) => void): Redis {
  const redis = new Redis(url, {
    connectTimeout: COMMAND_MS_MAX * 4,
    commandTimeout: COMMAND_MS_MAX,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 100, RECONNECT_MS_MAX),
  })
  redis.on('error', onFault)
  return redis
}
