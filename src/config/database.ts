import { parsePostgresUrl } from '../lib/postgres-url.ts'
import { number, oneOf, text, type Missing, type Values } from './variable-kinds.ts'

const SCHEME = '^postgres(ql)?:'

/** Variables of the database. */
export const databaseVariables = {
  DATA_DIR: text({
    about: 'Directory of the embedded database, the keys and the files that are not configured elsewhere.',
    accepts: 'a directory',
    default: './data',
  }),
  DATABASE_URL: text({
    about:
      'PostgreSQL server, or several servers of which one can be written, with parameters of libpq such as `sslmode`. Required in production.',
    accepts: 'postgresql://user:password@host:port/database, or several hosts separated by commas',
    shown: 'the embedded database',
    pattern: SCHEME,
    isSecret: true,
  }),
  DATABASE_PASSWORD: text({
    about: 'Password for DATABASE_URL and DATABASE_DIRECT_URL, if they contain none.',
    isSecret: true,
  }),
  DATABASE_CONNECTIONS: number(1, 500, {
    about: 'Maximum number of connections to PostgreSQL per instance.',
    default: 10,
  }),
  DATABASE_IDLE_CONNECTIONS: number(0, 500, {
    about: 'How many of these an instance keeps open without requests. Others close after 10 minutes without one.',
    default: 2,
  }),
  DATABASE_WAIT_SECONDS: number(0, 600, {
    about: 'How long a start and migrate wait for a PostgreSQL server that accepts no connections yet.',
    default: 30,
  }),
  MIGRATE_AT_START: oneOf(['yes', 'no'], {
    about: 'Whether the start applies missing migrations. With `no`, run migrate before a new version.',
    default: 'yes',
  }),
  DATABASE_POOLER: oneOf(['none', 'transaction'], {
    about:
      'Pooler behind DATABASE_URL. `transaction`: it assigns a server connection to each transaction, as PgBouncer does.',
    default: 'none',
  }),
  DATABASE_DIRECT_URL: text({
    about:
      'The same database without the pooler, for migrations and operator commands. Required with DATABASE_POOLER=transaction.',
    accepts: 'postgresql://user:password@host:port/database',
    shown: 'DATABASE_URL',
    pattern: SCHEME,
    isSecret: true,
  }),
}

type Given = Values<typeof databaseVariables>

export const databaseConfig = (given: Given) =>
  ({
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    databaseConnections: given.DATABASE_CONNECTIONS,
    databaseIdleConnections: given.DATABASE_IDLE_CONNECTIONS,
    databaseWaitSeconds: given.DATABASE_WAIT_SECONDS,
    migratesAtStart: given.MIGRATE_AT_START === 'yes',
    /** Replaces the password of both URLs of the database */
    databasePassword: given.DATABASE_PASSWORD,
    databasePooler: given.DATABASE_POOLER === 'transaction' ? 'transaction' : undefined,
    /** The database without its pooler */
    databaseDirectUrl: given.DATABASE_DIRECT_URL,
  }) as const

/** Lists what is missing or contradictory. */
export function databaseProblems(given: Partial<Given>, missing: Missing<Given>): string[] {
  return [
    ...(['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const).flatMap((name) => urlProblems(name, given)),
    ...(given.DATABASE_POOLER === 'transaction'
      ? missing('DATABASE_DIRECT_URL', 'migrations and operator commands cannot use the pooler.')
      : []),
  ]
}

/** Checks the hosts and parameters of a URL, with a sentence for each problem. */
function urlProblems(name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL', given: Partial<Given>): string[] {
  const url = given[name]
  if (url === undefined || !new RegExp(SCHEME).test(url)) return [] // reported as an invalid value
  try {
    const { hasPassword } = parsePostgresUrl(url)
    if (!hasPassword || given.DATABASE_PASSWORD === undefined) return []
    return [`${name} contains a password, and DATABASE_PASSWORD is set. Remove one of them.`]
  } catch (error) {
    return [`${name} ${(error as Error).message}`]
  }
}
