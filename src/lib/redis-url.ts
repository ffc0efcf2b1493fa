import { withoutBrackets } from './networks.ts'

type Host = Readonly<{ host: string; port: number }>

/** Where the counters are: one server, a master that sentinels name, or a cluster */
export type RedisUrl = Readonly<
  { isTls: boolean; hasPassword: boolean; unknownParameters: readonly string[] } & (
    | { kind: 'single'; hosts: readonly [Host]; url: string }
    | { kind: 'sentinel'; hosts: readonly Host[]; master: string; database: number; user?: string; password?: string }
    | { kind: 'cluster'; hosts: readonly Host[]; user?: string; password?: string }
  )
>

const PARAMETERS = ['db', 'family', 'username', 'password']
const PORT = 6379
const SENTINEL_PORT = 26_379
const SHAPE = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^/?#]*)@)?([^/?#@]+)(?:\/([^/?#]*))?(?:\/([0-9]{1,2}))?\/?$/
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::([0-9]{1,5}))?$/

/** Parses a URL of Redis; undefined if it is invalid. */
export function parseRedisUrl(text: string): RedisUrl | undefined {
  if (/^rediss?:/.test(text)) return parseSingle(text)
  const [, scheme, kind, owner, authority = '', master = '', database = '0'] = SHAPE.exec(text) ?? []
  const hosts = parseHosts(authority, kind === 'sentinel' ? SENTINEL_PORT : PORT)
  if (!hosts || (kind === 'sentinel') !== (master !== '')) return undefined // a cluster has one database and no name
  const credentials = parseCredentials(owner)
  const hasPassword = credentials.password !== undefined
  const shared = { isTls: scheme === 'rediss', hasPassword, unknownParameters: [], hosts, ...credentials }
  return kind === 'cluster'
    ? { kind: 'cluster', ...shared }
    : { kind: 'sentinel', ...shared, master, database: Number(database) }
}

function parseSingle(url: string): RedisUrl | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, password, hostname, port, searchParams } = new URL(url)
  const host = withoutBrackets(hostname) || '127.0.0.1'
  const hosts = [{ host, port: Number(port || PORT) }] as const
  const unknownParameters = [...new Set(searchParams.keys())].filter((name) => !PARAMETERS.includes(name))
  const hasPassword = password !== ''
  return { kind: 'single', isTls: protocol === 'rediss:', hasPassword, unknownParameters, hosts, url }
}

function parseHosts(authority: string, usualPort: number): Host[] | undefined {
  const hosts = authority.split(',').flatMap((each) => {
    const [, host, port] = HOST.exec(each) ?? []
    return host === undefined ? [] : [{ host: withoutBrackets(host), port: Number(port ?? usualPort) }]
  })
  return hosts.length === authority.split(',').length ? hosts : undefined
}

function parseCredentials(owner = ''): { user?: string; password?: string } {
  const [user = '', password] = owner.split(':').map(decodeURIComponent)
  return { ...(user && { user }), ...(password !== undefined && { password }) }
}
