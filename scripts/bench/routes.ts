import autocannon from 'autocannon'
import { measureUse, type Sample } from './figures.ts'
import type { MeasuredServer } from './measured.ts'

const CONNECTIONS = 32
/** More reads of one administrator are rejected. */
const ADMIN_CONNECTIONS = 16
const LARGE = 10_000

export type Route = {
  name: string
  url: string
  tokens: readonly string[]
  headers?: Record<string, string>
  /** The bare route that returns as many bytes */
  constant: string
}

type Read = { path: string; account: keyof typeof EMAILS; headers?: Record<string, string> }

const EMAILS = { client: 'client@demo.test', lawyer: 'lawyer@demo.test', admin: 'admin@demo.test' } as const

const READS: Record<string, Read> = {
  checkToken: { path: '/auth/check', account: 'client' },
  'getProfile, client': { path: '/profile', account: 'client' },
  'getProfile, lawyer': { path: '/profile', account: 'lawyer' },
  listSessions: { path: '/auth/sessions', account: 'client' },
  adminListUsers: { path: '/admin/users', account: 'admin' },
  'adminListUsers, search': { path: '/admin/users?q=demo', account: 'admin' },
  listCountries: { path: '/lookups/countries', account: 'client' },
}

/** Representations of listCountries, which all have the same bare route */
const ENCODINGS = { 'listCountries, br': 'br', 'listCountries, gzip': 'gzip' }

/** Prepares reads beside bare Fastify routes that return as many bytes. Each connection has a session of its own. */
export async function prepareRoutes(measured: MeasuredServer): Promise<Route[]> {
  const { service, bare } = await measured.request({ act: 'origins' })
  const tokens = await logInAll(measured)
  const reads: Route[] = []
  const constants: Route[] = []
  for (const [name, { path, account }] of Object.entries(READS)) {
    const url = `${service}/api/v1${path}`
    const response = await fetch(url, { headers: { authorization: `Bearer ${tokens[account][0] ?? ''}` } })
    const text = await response.text()
    await measured.request({ act: 'constant', name, answer: text.length > LARGE ? text : JSON.parse(text) })
    const constant = `constant, as ${name}`
    constants.push({
      name: constant,
      url: `${bare}/constant/${encodeURIComponent(name)}`,
      tokens: tokens.client,
      constant,
    })
    reads.push({ name, url, tokens: tokens[account], constant })
  }
  return [...constants, ...reads, ...(await representations(reads)), tokenOnly(bare, tokens.client)]
}

/** Verifies the token and reads nothing. */
function tokenOnly(bare: string, tokens: string[]): Route {
  return { name: 'token only', url: `${bare}/token`, tokens, constant: 'constant, as checkToken' }
}

async function representations(reads: readonly Route[]): Promise<Route[]> {
  const plain = reads.find(({ name }) => name === 'listCountries')
  if (!plain) return []
  const { headers } = await fetch(plain.url)
  const notModified = { 'if-none-match': headers.get('etag') ?? '' }
  const encoded = Object.entries(ENCODINGS).map(([name, encoding]) => ({
    ...plain,
    name,
    headers: { 'accept-encoding': encoding },
  }))
  return [...encoded, { ...plain, name: 'listCountries, 304', headers: notModified }]
}

async function logInAll(measured: MeasuredServer): Promise<Record<keyof typeof EMAILS, string[]>> {
  const logIn = (account: keyof typeof EMAILS, length = CONNECTIONS): Promise<string[]> =>
    Promise.all(Array.from({ length }, () => measured.logIn(EMAILS[account])))
  return {
    client: await logIn('client'),
    lawyer: await logIn('lawyer'),
    admin: await logIn('admin', ADMIN_CONNECTIONS),
  }
}

/** Sends requests for some seconds, each connection with its own token. */
export async function measureRoute(measured: MeasuredServer, route: Route, seconds: number): Promise<Sample> {
  const free = [...route.tokens]
  const setupClient = (client: autocannon.Client): void =>
    client.setHeaders({ ...route.headers, authorization: `Bearer ${free.pop() ?? ''}` })
  return measureUse(measured, async () => {
    const { url } = route
    const { requests, errors, ...counts } = await autocannon({
      url,
      connections: route.tokens.length,
      duration: seconds,
      setupClient,
    })
    const failed = counts['4xx'] + counts['5xx'] + errors
    if (failed > 0) throw new Error(`${route.name}: ${failed} requests failed`)
    return requests.total
  })
}
