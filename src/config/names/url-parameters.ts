// Parameters of the URLs of PostgreSQL and Redis that nothing reads. Misspelt parameters of TLS would lead to plain text.
import { distance } from 'fastest-levenshtein'
import { parsePostgresUrl } from '../../lib/postgres-url.ts'
import { parseRedisUrl } from '../../lib/redis-url.ts'
import { NEXT_VERSION } from './unknown-variables.ts'

/** The names of parameters of TLS, and the values that only they have */
const TLS_NAMES = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation']
const TLS_NAME = /ssl|tls/i
const TLS_VALUE = /^verify[-_]?(full|ca)$/i
const MISSPELT_MAX = 2

type Variables = Readonly<Partial<Record<'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'REDIS_URL', string>>>
type Unknown = Readonly<{ variable: string; name: string; isTls: boolean }>

/** Lists unknown parameters that seem to configure TLS. libpq rejects every unknown parameter, too. */
export function unknownTlsProblems(given: Variables): string[] {
  return listUnknown(given).filter(({ isTls }) => isTls).map(({ variable, name }) =>
    variable === 'REDIS_URL'
      ? `REDIS_URL has the unknown parameter ${name}. Remove it; for TLS, begin the URL with rediss.`
      : `${variable} has the unknown parameter ${name}, which would be ignored.${suggest(name)} Parameters of TLS are ${TLS_NAMES.join(', ')}.`) // prettier-ignore
}

/** Lists all other unknown parameters, which are ignored in this version. */
export function unknownParameterWarnings(given: Variables): string[] {
  return listUnknown(given).filter(({ isTls }) => !isTls).map(({ variable, name }) =>
    `${variable} has the unknown parameter ${name}, which is ignored. Remove it: ${NEXT_VERSION}.`) // prettier-ignore
}

function listUnknown(given: Variables): Unknown[] {
  return [
    ...(['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const).flatMap((variable) => unknownIn(variable, given[variable], parsePostgresUrl)),
    ...unknownIn('REDIS_URL', given.REDIS_URL, parseRedisUrl),
  ] // prettier-ignore
}

type Parse = (url: string) => { unknownParameters: readonly string[] } | undefined

function unknownIn(variable: string, url: string | undefined, parse: Parse): Unknown[] {
  const values = new URLSearchParams(url?.replace(/^[^?]*/, ''))
  const isTls = (name: string): boolean =>
    TLS_NAME.test(name) || TLS_VALUE.test(values.get(name) ?? '') || nearest(name) !== undefined
  return unknownNames(url, parse).map((name) => ({ variable, name, isTls: isTls(name) }))
}

/** Returns no names for a URL that is reported as invalid. */
function unknownNames(url: string | undefined, parse: Parse): readonly string[] {
  try {
    return url === undefined ? [] : (parse(url)?.unknownParameters ?? [])
  } catch {
    return []
  }
}

function nearest(name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return TLS_NAMES.find((each) => distance(plain, each) <= MISSPELT_MAX)
}

function suggest(name: string): string {
  const meant = nearest(name)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
