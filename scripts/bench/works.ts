// What the benchmark measures, and the targets.
import { Client } from 'undici'
import { largePhoto } from '../load/images.ts'
import { tokensIn } from '../load/people.ts'
import * as requests from '../load/requests.ts'
import { sendValid, type Sent } from '../load/send.ts'
import { CONNECTIONS, type Use, type Variant } from './variant.ts'

/** A figure of a work. A ratio is CPU time, divided by that of the bare route in the same round. */
export type Figure = Readonly<{
  name: string
  of: keyof Use
  unit: 'ratio' | 'µs' | 'bytes'
  /** What is fine, whatever the last release had */
  target?: number
}>

export type Work = Readonly<{
  figures: readonly [Figure, ...Figure[]]
  /** The path whose response the bare route returns, or that of uploads */
  route: string
  /** Rounds before it is measured. V8 optimizes the code of a request after about a thousand of them. */
  warmUps: number
  /** Sends requests, and resolves to their number. */
  send(variant: Variant): Promise<number>
}>

const READS = Number(process.env['BENCH_READS'] ?? 4000)
const WRITES = Number(process.env['BENCH_WRITES'] ?? 240)
/** Their hashes take most of the time, and none of the main thread. */
const HASHES = CONNECTIONS
const HASHED_AT_ONCE = 4
export const UPLOADS = 2 * CONNECTIONS

const WHOAMI = '/auth/check'
const COUNTRIES = '/lookups/countries'
export const UPLOAD = '/upload'

type Write = (account: requests.Account) => Sent

export const WORKS: readonly Work[] = [
  read('whoami', WHOAMI, { target: 2.4 }),
  read('profile of a client', '/profile', { target: 2.6 }),
  { ...read('profile of a lawyer', '/profile', { target: 3.6, accounts: 'lawyers' }), route: 'lawyer /profile' },
  read('lookup', COUNTRIES, { target: 0.5 }),
  read('lookup, gzip', COUNTRIES, { target: 0.5, headers: { 'accept-encoding': 'gzip' } }),
  read('lookup, 304', COUNTRIES, { target: 0.5, isConditional: true }),
  read('list of sessions', '/auth/sessions'),
  read('list of users', '/admin/users', { accounts: 'admins', count: READS / 10 }),
  {
    ...write('update of a client', 'clients', () => (account) => requests.update(account, 'client')),
    figures: [
      { name: 'update of a client', of: 'processMicros', unit: 'ratio', target: 31 },
      { name: 'update of a client, PostgreSQL', of: 'databaseMicros', unit: 'µs', target: 500 },
      { name: 'update of a client, write-ahead log', of: 'walBytes', unit: 'bytes', target: 3000 },
    ],
  },
  write('update of a lawyer', 'lawyers', () => (account) => requests.update(account, 'lawyer')),
  {
    ...write('update of a lawyer with a photo of 1 MB', 'lawyers', withPhoto, UPLOADS),
    figures: [{ name: 'update of a lawyer with a photo of 1 MB', of: 'processMicros', unit: 'ratio', target: 1.15 }],
    route: UPLOAD,
    warmUps: 1,
  },
  write('check-phone', 'clients', () => () => requests.checkPhone(requests.newPhone())),
  {
    ...write('refresh of a token', 'visitors', () => requests.refresh),
    send: ({ origin, visitors }) =>
      sendWrites(origin, visitors, requests.refresh, WRITES, (account, data) => Object.assign(account, tokensIn(data))),
  },
  besideHash('login', requests.login),
  besideHash('registration', requests.registration),
]

type ReadOptions = {
  target?: number
  accounts?: 'clients' | 'lawyers' | 'admins'
  count?: number
  headers?: Record<string, string>
  isConditional?: boolean
}

function read(name: string, path: string, options: ReadOptions = {}): Work {
  const { accounts = 'clients', headers, isConditional = false, target, count } = options
  return {
    figures: [{ name, of: 'processMicros', unit: 'ratio', ...(target !== undefined && { target }) }],
    route: path,
    warmUps: 1,
    async send({ origin, ...variant }) {
      const full = `/api/v1${path}`
      const tag = isConditional ? (await fetch(origin + full)).headers.get('etag') : null
      const own = { ...headers, ...(tag !== null && { 'if-none-match': tag }) }
      return sendReads(origin, full, variant[accounts], own, count)
    },
  }
}

function write(
  name: string,
  accounts: 'clients' | 'lawyers' | 'visitors',
  prepare: () => Write | Promise<Write>,
  count = WRITES,
): Work {
  return {
    figures: [{ name, of: 'processMicros', unit: 'ratio' }],
    route: WHOAMI,
    warmUps: 4,
    send: async ({ origin, ...variant }) => sendWrites(origin, variant[accounts], await prepare(), count),
  }
}

/** A few at once, because hashes have a deadline, which a busy machine exceeds. */
function besideHash(name: string, prepared: Write): Work {
  return {
    figures: [{ name: `${name}, beside its hash`, of: 'mainMicros', unit: 'ratio' }],
    route: WHOAMI,
    warmUps: 1,
    send: ({ origin, visitors }) => sendWrites(origin, visitors.slice(0, HASHED_AT_ONCE), prepared, HASHES),
  }
}

/** Returns an update of a lawyer with a photo of 1 MB. */
export async function withPhoto(): Promise<Write> {
  const photo = await largePhoto()
  return (account) => requests.update(account, 'lawyer', { profile_photo: photo })
}

/** Sends requests over connections that stay open, each with its own token. */
export async function sendReads(
  origin: string,
  path: string,
  accounts: readonly requests.Account[],
  headers: Record<string, string> = {},
  count = READS,
): Promise<number> {
  const each = Math.ceil(count / accounts.length)
  const run = async ({ token }: requests.Account): Promise<void> => {
    const client = new Client(origin)
    for (let sent = 0; sent < each; sent++) {
      const options = { path, method: 'GET', headers: { ...headers, authorization: `Bearer ${token}` } } as const
      const { statusCode, body } = await client.request(options)
      await body.dump({ limit: Number.MAX_SAFE_INTEGER })
      if (statusCode >= 400) throw new Error(`${path}: ${statusCode}`)
    }
    await client.close()
  }
  await Promise.all(accounts.map(run))
  return each * accounts.length
}

export async function sendWrites(
  origin: string,
  accounts: readonly requests.Account[],
  write: Write,
  count = WRITES,
  learn: (account: requests.Account, data: unknown) => void = () => undefined,
): Promise<number> {
  const each = Math.ceil(count / accounts.length)
  const run = async (account: requests.Account): Promise<void> => {
    for (let sent = 0; sent < each; sent++) learn(account, await sendValid(origin, write(account)))
  }
  await Promise.all(accounts.map(run))
  return each * accounts.length
}
