import { Type } from '@sinclair/typebox'
import { number, text, url } from './variable-kinds.ts'

/** Variables of the database and of Redis. */
export const databaseVariables = {
  DATA_DIR: text({
    about: 'Directory of the embedded database, of the keys and of uploaded files, where these are not configured.',
    accepts: 'a directory',
    default: './data',
  }),
  DATABASE_URL: Type.Optional(
    url('postgres|postgresql', {
      about: 'PostgreSQL server. Required in production.',
      accepts: 'postgresql://user:password@host:port/database',
      shown: 'the embedded database',
    }),
  ),
  DATABASE_CONNECTIONS: number(1, 500, {
    about: 'Maximum number of connections to PostgreSQL per instance.',
    default: 10,
  }),
  REDIS_URL: Type.Optional(
    url('redis|rediss', {
      about: 'Redis or Valkey server through which instances share rate limits. Required in production.',
      accepts: 'redis://host:port or rediss://host:port',
      shown: 'none; limits are counted in memory',
    }),
  ),
  REDIS_PREFIX: text(
    { about: 'Prefix of all keys in Redis.', accepts: 'letters, digits and . : _ -', default: 'tawthiq' },
    '^[A-Za-z0-9.:_-]{1,64}$',
  ),
}
