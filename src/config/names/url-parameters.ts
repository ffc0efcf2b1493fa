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

const VARIABLES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL'] as const
type Variables = Readonly<Partial<Record<(typeof VARIABLES)[number], string | undefined>>>
type Unknown = Readonly<{ variable: string; name: string; isTls: boolean }>

/** Lists unknown parameters that seem to configure TLS. libpq rejects every unknown parameter, too. */
export function unknownTlsProblems(given: Variables): string[] {
  const unknown = listUnknown(given).filter(({ isTls }) => isTls)
  return unknown.map(({ variable, name }) => {
    const found = `${variable} has the unknown parameter ${name}`
    if (variable === 'REDIS_URL') return `${found}. Remove it; for TLS, begin the URL with rediss.`
    const meant = nearest(name)
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`
    return `${found}, which would be ignored.${question} Parameters of TLS are ${TLS_NAMES.join(', ')}.`
  })
}

/** Lists all other unknown parameters, which are ignored in this version. */
export function unknownParameterWarnings(given: Variables): string[] {
  const ignored = listUnknown(given).filter(({ isTls }) => !isTls)
  return ignored.map(
    ({ variable, name }) =>
      `${variable} has the unknown parameter ${name}, which is ignored. Remove it: ${NEXT_VERSION}.`,
  )
}

/** Lists no parameters of a URL that is reported as invalid. */
function listUnknown(given: Variables): Unknown[] {
  return VARIABLES.flatMap((variable) => {
    const url = given[variable] ?? ''
    const values = new URLSearchParams(url.replace(/^[^?]*/, ''))
    const isTls = (name: string): boolean =>
      TLS_NAME.test(name) || TLS_VALUE.test(values.get(name) ?? '') || nearest(name) !== undefined
    try {
      const parsed = variable === 'REDIS_URL' ? parseRedisUrl(url) : parsePostgresUrl(url)
      return (parsed?.unknownParameters ?? []).map((name) => ({ variable, name, isTls: isTls(name) }))
    } catch {
      return []
    }
  })
}

function nearest(name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return TLS_NAMES.find((each) => distance(plain, each) <= MISSPELT_MAX)
}
