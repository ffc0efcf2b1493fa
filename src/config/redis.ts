import { parseRedisUrl } from '../lib/redis-url.ts'
import { text, type Values } from './variable-kinds.ts'

/** Variables of Redis. */
export const redisVariables = {
  REDIS_URL: text({
    about: 'Redis or Valkey server through which instances share rate limits. Required in production.',
    accepts:
      'redis://user:password@host:port, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port; rediss for TLS',
    shown: 'none; limits are counted in memory',
    format: 'redis-url',
    isSecret: true,
  }),
  REDIS_PASSWORD: text({ about: 'Password for REDIS_URL, if it contains none.', isSecret: true }),
  REDIS_SENTINEL_PASSWORD: text({ about: 'Password of the sentinels, if they require one.', isSecret: true }),
  REDIS_CA_FILE: text({
    about: 'Certificate authority of Redis, for `rediss` URLs.',
    accepts: 'a PEM file',
    shown: 'the authorities of Node and NODE_EXTRA_CA_CERTS',
  }),
  REDIS_PREFIX: text({
    about: 'Prefix of all keys in Redis.',
    accepts: 'letters, digits and . : _ -',
    default: 'tawthiq',
    pattern: '^[A-Za-z0-9.:_-]{1,64}$',
  }),
}

type Given = Values<typeof redisVariables>

export const redisConfig = (given: Given) =>
  ({
    redisUrl: given.REDIS_URL,
    /** Credentials, and the path of a PEM file, that are not part of the URL */
    redisAccess: {
      password: given.REDIS_PASSWORD,
      sentinelPassword: given.REDIS_SENTINEL_PASSWORD,
      caFile: given.REDIS_CA_FILE,
    },
    /** Prefix of all keys in Redis */
    redisPrefix: given.REDIS_PREFIX,
  }) as const

/** Lists settings that contradict each other. */
export function redisProblems({ REDIS_URL, REDIS_PASSWORD, REDIS_CA_FILE }: Partial<Given>): string[] {
  const url = REDIS_URL === undefined ? undefined : parseRedisUrl(REDIS_URL)
  if (!url) return []
  return [
    ...(url.hasPassword && REDIS_PASSWORD !== undefined
      ? ['REDIS_URL contains a password, and REDIS_PASSWORD is set. Remove one of them.']
      : []),
    ...(REDIS_CA_FILE !== undefined && !url.isTls
      ? ['REDIS_CA_FILE is set, but REDIS_URL does not use TLS. Begin it with rediss instead of redis.']
      : []),
  ]
}
