import { withoutBrackets } from './networks.ts'

/** A server of a URL. `host` is a name, an address or the directory of a socket; undefined: the default of the driver. */
type PostgresHost = Readonly<{ host: string | undefined; port: number | undefined }>

export type PostgresUrl = Readonly<{
  /** In the order in which they are tried */
  hosts: readonly PostgresHost[]
  database: string
  hasPassword: boolean
  /** Which of the hosts a connection may use, as in libpq */
  target: (typeof TARGETS)[number]
  sslMode: SslMode
  /** Files of PEM certificates and of the client's key; `system` as the root means the authorities of Node */
  sslRootCert: string | undefined
  sslCert: string | undefined
  sslKey: string | undefined
  /** Whether TLS starts without a request, as PostgreSQL 17 allows */
  isSslDirect: boolean
  /** Start-up options of the URL, such as `-c search_path=app` */
  options: string | undefined
  /** Names of parameters that neither this service nor its driver reads */
  unknownParameters: readonly string[]
  /** The name that the operator has given to the connections */
  applicationName: string | undefined
  /** Returns a URL for one of the hosts, without the parameters above. */
  toUrl(host: PostgresHost, password: string | undefined): string
}>

const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]*)(?::([0-9]{1,5}))?$/
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof MODES)[number]
const TARGETS = ['any', 'read-write', 'primary'] as const
/** Parameters that are read here. The driver would read some of them differently. */
const READ_HERE = [
  ...['host', 'port', 'target_session_attrs', 'options', 'application_name', 'ssl', 'uselibpqcompat'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'],
]

const READ_BY_DRIVER = [
  ...['user', 'password', 'fallback_application_name', 'client_encoding', 'keepalives'],
  ...['statement_timeout', 'query_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'replication'],
]

/**
 * Parses a connection URL of PostgreSQL. It has the parameters of libpq, and can list several hosts.
 *
 * @throws Error with one sentence about the problem, without the URL
 */
export function parsePostgresUrl(text: string): PostgresUrl {
  const [, user = '', authority = '', path = '', query = ''] = SHAPE.exec(text) ?? invalid('is not a URL')
  const given = new URLSearchParams(query)
  const get = (name: string): string | undefined => given.get(name) ?? undefined
  const hosts = parseHosts(get('host') ?? decode(authority), get('port'))
  const usualTarget = hosts.length > 1 ? 'read-write' : 'any'
  return {
    hosts,
    database: decode(path.slice(1)),
    hasPassword: user.includes(':') || given.has('password'),
    target: oneOf(TARGETS, 'target_session_attrs', get('target_session_attrs') ?? usualTarget),
    sslMode: parseSslMode(get),
    sslRootCert: get('sslrootcert'),
    sslCert: get('sslcert'),
    sslKey: get('sslkey'),
    isSslDirect: get('sslnegotiation') === 'direct',
    options: get('options'),
    unknownParameters: [...new Set(given.keys())].filter((name) => ![...READ_HERE, ...READ_BY_DRIVER].includes(name)),
    applicationName: get('application_name'),
    toUrl: (host, password) =>
      buildUrl(host, {
        owner: password === undefined ? user : `${user}:${encodeURIComponent(password)}`,
        path,
        parameters: [...given].filter(([name]) => !READ_HERE.includes(name)),
      }),
  }
}

type Rest = { owner: string; path: string; parameters: [string, string][] }

/** A directory of a socket is a parameter, because it cannot be the host of a URL. */
function buildUrl({ host = '', port }: PostgresHost, { owner, path, parameters }: Rest): string {
  const rest = new URLSearchParams(parameters)
  const isDirectory = host.startsWith('/')
  if (isDirectory) rest.set('host', host)
  if (isDirectory && port !== undefined) rest.set('port', String(port))
  const name = host.includes(':') ? `[${host}]` : host
  const place = isDirectory ? '' : [name, ...(port === undefined ? [] : [port])].join(':')
  return `postgresql://${owner === '' ? '' : `${owner}@`}${place}${path}${rest.size > 0 ? `?${rest.toString()}` : ''}`
}

/** Describes the place of a database to an operator, without credentials. */
export function describePostgres({ hosts, database }: PostgresUrl): string {
  const places = hosts.map(({ host = 'localhost', port }) => `${host}${port === undefined ? '' : `:${port}`}`)
  return `the database ${database} at ${places.join(', ')}`
}

function parseHosts(authority: string, ports: string | undefined): PostgresHost[] {
  const portOf = (at: number): string | undefined => ports?.split(',')[ports.includes(',') ? at : 0]
  return authority.split(',').map((each, at) => {
    if (each.startsWith('/')) return { host: each, port: toPort(portOf(at)) }
    const [, host = '', port] = HOST.exec(each) ?? invalid('has an invalid host or port')
    return { host: withoutBrackets(host) || undefined, port: toPort(port ?? portOf(at)) }
  })
}

function toPort(text: string | undefined): number | undefined {
  if (!text) return undefined
  const port = Number(text)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : invalid('has an invalid host or port')
}

/** `no-verify` and `ssl` are extensions of the driver. */
function parseSslMode(get: (name: string) => string | undefined): SslMode {
  const isSsl = ['true', '1'].includes(get('ssl') ?? '')
  const text = get('sslmode') ?? (isSsl ? 'verify-full' : 'disable')
  if (text === 'allow' || text === 'prefer') {
    invalid(
      `has sslmode=${text}, which falls back to a connection without TLS. Use disable, require, verify-ca or verify-full`,
    )
  }
  return checkRoot(oneOf(MODES, 'sslmode', text === 'no-verify' ? 'require' : text), get('sslrootcert'))
}

/** Returns the mode that a root certificate leads to, as in libpq. */
function checkRoot(mode: SslMode, root: string | undefined): SslMode {
  if (root === undefined) return mode === 'verify-ca' ? invalid('has sslmode=verify-ca without sslrootcert') : mode
  if (mode === 'disable') invalid('has sslrootcert without an sslmode that uses it')
  if (root === 'system' && mode !== 'verify-full') invalid('has sslrootcert=system, which needs sslmode=verify-full')
  return mode === 'require' ? 'verify-ca' : mode
}

function oneOf<Word extends string>(words: readonly Word[], name: string, text: string): Word {
  return words.find((word) => word === text) ?? invalid(`has an unknown ${name}. Use ${words.join(', ')}`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return invalid('has an invalid percent encoding')
  }
}

function invalid(problem: string): never {
  throw new Error(`${problem}.`)
}
