// What the gate measures, and the targets.
import { Client } from 'undici'
import * as requests from '../requests.ts'
import { CONNECTIONS, type Use, type Variant } from './variant.ts'

/** A figure of a work. A ratio is CPU time, divided by that of a bare route that returns the same in the same round. */
export type Figure = Readonly<{
  name: string
  of: keyof Use
  unit: 'ratio' | 'µs' | 'bytes'
  /** What is fine, whatever the last release had */
  target?: number
}>

export type Work = Readonly<{
  figures: readonly Figure[]
  /** The path whose response the bare route returns */
  constant: string
  /** Rounds before it is measured. V8 optimizes the code of a request after about a thousand of them. */
  warmUps: number
  /** Sends requests, and resolves to their number. */
  send(variant: Variant): Promise<number>
}>

const READS = Number(process.env['BENCH_READS'] ?? 4000)
const WRITES = Number(process.env['BENCH_WRITES'] ?? 240)
/** Their hashes take most of the time, and none of the main thread. */
const LOGINS = CONNECTIONS

const WHOAMI = '/auth/check'
const COUNTRIES = '/lookups/countries'

export const WORKS: readonly Work[] = [
  read('whoami', WHOAMI, 2.4),
  read('profile of a client', '/profile', 2.6),
  { ...read('profile of a lawyer', '/profile', 3.6, { accounts: 'lawyers' }), constant: 'lawyer /profile' },
  read('lookup', COUNTRIES, 0.5),
  read('lookup, gzip', COUNTRIES, 0.5, { headers: { 'accept-encoding': 'gzip' } }),
  read('lookup, 304', COUNTRIES, 0.5, { isConditional: true }),
  {
    constant: WHOAMI,
    warmUps: 4,
    send: (variant) => sendWrites(variant.origin, variant.clients, (account) => requests.update(account, 'client')),
    figures: [
      { name: 'update of a client', of: 'processMicros', unit: 'ratio', target: 31 },
      { name: 'update of a client, PostgreSQL', of: 'databaseMicros', unit: 'µs', target: 500 },
      { name: 'update of a client, write-ahead log', of: 'walBytes', unit: 'bytes', target: 3000 },
    ],
  },
  {
    constant: WHOAMI,
    warmUps: 4,
    send: (variant) => sendWrites(variant.origin, variant.clients, () => requests.checkPhone(requests.newPhone())),
    figures: [{ name: 'check-phone', of: 'processMicros', unit: 'ratio' }],
  },
  {
    constant: WHOAMI,
    warmUps: 1,
    send: (variant) => sendWrites(variant.origin, variant.visitors, requests.login, LOGINS),
    figures: [{ name: 'login, beside its hash', of: 'mainMicros', unit: 'ratio' }],
  },
]

type ReadOptions = { accounts?: 'clients' | 'lawyers'; headers?: Record<string, string>; isConditional?: boolean }

function read(name: string, path: string, target: number, options: ReadOptions = {}): Work {
  const { accounts = 'clients', headers, isConditional = false } = options
  return {
    figures: [{ name, of: 'processMicros', unit: 'ratio', target }],
    constant: path,
    warmUps: 1,
    async send({ origin, ...variant }) {
      const url = `${origin}/api/v1${path}`
      const tag = isConditional ? (await fetch(url)).headers.get('etag') : null
      return sendReads(url, variant[accounts], { ...headers, ...(tag !== null && { 'if-none-match': tag }) })
    },
  }
}

/** Sends requests over connections that stay open, each with its own token. */
export async function sendReads(
  url: string,
  accounts: readonly Pick<requests.Account, 'token'>[],
  headers: Record<string, string> = {},
): Promise<number> {
  const { origin, pathname: path } = new URL(url)
  const each = Math.ceil(READS / accounts.length)
  const run = async ({ token }: { token: string }): Promise<void> => {
    const client = new Client(origin)
    for (let sent = 0; sent < each; sent++) {
      const options = { path, method: 'GET', headers: { ...headers, authorization: `Bearer ${token}` } } as const
      const { statusCode, body } = await client.request(options)
      await body.dump({ limit: Number.MAX_SAFE_INTEGER })
      if (statusCode >= 400) throw new Error(`${url}: ${statusCode}`)
    }
    await client.close()
  }
  await Promise.all(accounts.map(run))
  return each * accounts.length
}

async function sendWrites(
  origin: string,
  accounts: readonly requests.Account[],
  write: (account: requests.Account) => requests.Request,
  count = WRITES,
): Promise<number> {
  const each = Math.ceil(count / CONNECTIONS)
  const run = async (account: requests.Account): Promise<void> => {
    for (let sent = 0; sent < each; sent++) {
      const { status, data } = await requests.send(origin, write(account))
      if (status >= 300) throw new Error(`${status} ${JSON.stringify(data)}`)
    }
  }
  await Promise.all(accounts.map(run))
  return each * accounts.length
}
