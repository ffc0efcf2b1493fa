// What the benchmark measures, and the targets.
import * as requests from '../load/requests.ts'
import { sendValid, type Sent } from '../load/send.ts'
import type { Base } from './base-server.ts'
import type { Group, Use, Variant } from './variant.ts'
import { CONNECTIONS, sendRound, writeRequests } from './wrk.ts'

/** A figure of a work. A ratio is CPU time, divided by that of what it is compared with in the same round. */
export type Figure = Readonly<{
  name: string
  of: keyof Use
  unit: 'ratio' | 'µs' | 'bytes'
  /** What is fine, whatever the last release had */
  target?: number
}>

export type Work = Readonly<{
  figures: readonly [Figure, ...Figure[]]
  /** What it is compared with: a base route, or a work of the same version that is measured before it */
  base: Base | Work
  /** Rounds before it is measured. V8 optimizes the code of a request after about a thousand of them. */
  warmUps: number
  /** Sends requests, and resolves to their number. */
  send(variant: Variant): Promise<number>
}>

const WRITES = Number(process.env['BENCH_WRITES'] ?? 480)
const HASHED_AT_ONCE = 4
export const UPLOADS = 2 * CONNECTIONS
/** Updates of an account that are sent in turns, each with another name */
const UPDATES = 8

const COUNTRIES = '/lookups/countries'

type Write = (account: requests.Person) => Sent

const identity = read('lookup', COUNTRIES, { base: 'constant' })

export const WORKS: readonly Work[] = [
  read('whoami', '/auth/check', { target: 0.65 }),
  read('profile of a client', '/profile', { target: 0.8 }),
  read('profile of a lawyer', '/profile', { target: 1.1, group: 'lawyers' }),
  read('lookup, 304', COUNTRIES, { base: 'constant', target: 2, isConditional: true }),
  identity,
  read('lookup, gzip', COUNTRIES, { base: identity, target: 1, headers: { 'accept-encoding': 'gzip' } }),
  read('list of sessions', '/auth/sessions'),
  read('list of users', '/admin/users', { group: 'admins' }),
  {
    ...update('client'),
    figures: [
      { name: 'update of a client', of: 'totalMicros', unit: 'ratio', target: 4 },
      { name: 'update of a client, PostgreSQL', of: 'databaseMicros', unit: 'µs', target: 1000 },
      { name: 'update of a client, write-ahead log', of: 'walBytes', unit: 'bytes', target: 3000 },
    ],
  },
  update('lawyer'),
  {
    figures: [{ name: 'update of a lawyer with a photo of 1 MB', of: 'processMicros', unit: 'ratio', target: 1.25 }],
    base: 'upload',
    warmUps: 1,
    send: async ({ origin, lawyers }) => sendWrites(origin, lawyers, await withPhoto(), UPLOADS),
  },
  write('check-phone', ({ origin, clients }) =>
    sendWrites(origin, clients, () => requests.checkPhone(requests.newPhone())),
  ),
  write('refresh of a token', ({ origin, visitors }) =>
    sendWrites(origin, visitors, requests.refresh, WRITES, (account, data) =>
      Object.assign(account, requests.tokensIn(data)),
    ),
  ),
  besideHash('login', requests.login),
  besideHash('registration', requests.registration),
]

type Options = { target?: number; base?: Work['base']; group?: Group }
type ReadOptions = Options & { headers?: Record<string, string>; isConditional?: boolean }
type Prepare = (variant: Variant) => Sent[] | Promise<Sent[]>

/** Requests that are written once for each version, and sent by wrk */
function prepared(name: string, write: Prepare, { target, base = 'select' }: Options): Work {
  const files = new Map<Variant, string>()
  return {
    figures: [{ name, of: 'totalMicros', unit: 'ratio', ...(target !== undefined && { target }) }],
    base,
    warmUps: 2,
    async send(variant) {
      const { folder, origin } = variant
      const file = files.get(variant) ?? (await writeRequests(folder, name, origin, await write(variant)))
      files.set(variant, file)
      return (await sendRound(origin, file)).requests
    },
  }
}

function read(name: string, path: string, options: ReadOptions = {}): Work {
  const { group = 'clients', headers, isConditional = false } = options
  const write = async ({ origin, ...variant }: Variant): Promise<Sent[]> => {
    const full = `/api/v1${path}`
    const tag = isConditional ? (await fetch(origin + full)).headers.get('etag') : null
    const own = { ...headers, ...(tag !== null && { 'if-none-match': tag }) }
    return variant[group].map(({ token }) => ({ path: full, token, headers: own }))
  }
  return prepared(name, write, options)
}

export function updatesOf(variant: Variant, type: 'client' | 'lawyer'): Sent[] {
  return Array.from({ length: UPDATES }, () =>
    variant[`${type}s`].map((account) => requests.update(account, type)),
  ).flat()
}

function update(type: 'client' | 'lawyer'): Work {
  return prepared(`update of a ${type}`, (variant) => updatesOf(variant, type), { base: 'update' })
}

function write(name: string, send: Work['send']): Work {
  return { figures: [{ name, of: 'totalMicros', unit: 'ratio' }], base: 'update', warmUps: 4, send }
}

/**
 * A few requests at once, because hashes have a deadline, which a busy machine exceeds. They take most of the time, and none of the
 * main thread.
 */
function besideHash(name: string, each: Write): Work {
  return {
    figures: [{ name: `${name}, beside its hash`, of: 'mainMicros', unit: 'ratio' }],
    base: 'select',
    warmUps: 1,
    send: ({ origin, visitors }) => sendWrites(origin, visitors.slice(0, HASHED_AT_ONCE), each, CONNECTIONS),
  }
}

/** Returns an update of a lawyer with a photo of 1 MB. */
export async function withPhoto(): Promise<Write> {
  const photo = await requests.largePhoto()
  return (account) => requests.update(account, 'lawyer', { profile_photo: photo })
}

/** Sends requests of accounts over one connection each. */
export async function sendWrites(
  origin: string,
  accounts: readonly requests.Person[],
  write: Write,
  count = WRITES,
  learn: (account: requests.Person, data: unknown) => void = () => undefined,
): Promise<number> {
  const group = accounts.slice(0, CONNECTIONS)
  const each = Math.ceil(count / group.length)
  const run = async (account: requests.Person): Promise<void> => {
    for (let sent = 0; sent < each; sent++) learn(account, await sendValid(origin, write(account)))
  }
  await Promise.all(group.map(run))
  return each * group.length
}
