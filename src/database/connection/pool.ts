import type { Hosts } from './hosts.ts'
import pg from 'pg'
import { clientClass } from './client.ts'

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/** A server that cannot be written. The SQLSTATE is the one that a write on it would return. */
class NotWritable extends Error {
  readonly code = '25006'
}

/** Opens a pool whose connections go to the current server of a URL, and to the next one when that fails. */
export function openHostsPool(options: pg.PoolConfig, hosts: Hosts, allowsNames: boolean): pg.Pool {
  const all: pg.PoolConfig = {
    ...options,
    Client: clientClass({ hosts, allowsNames, onReadOnly: () => retire() }),
    ...(hosts.url.target !== 'any' && {
      verify: (client, done) => void requireWritable(client, hosts).then(() => done(), done),
    }),
  }
  const pool = hosts.count > 1 ? new HostsPool(all, hosts) : new pg.Pool(all)
  const retire = trackConnections(pool)
  return survivingErrors(pool)
}

/**
 * Makes a pool survive connections that break: a statement that runs fails, and the next one uses another connection. Without
 * listeners, the errors would end the process, also those of connections that are closing.
 */
export function survivingErrors(pool: pg.Pool): pg.Pool {
  return pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
}

/** A pool that tries the other servers when a connection to one of them fails. */
class HostsPool extends pg.Pool {
  readonly #hosts: Hosts

  constructor(options: pg.PoolConfig, hosts: Hosts) {
    super(options)
    this.#hosts = hosts
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (callback) {
      this.#try(callback, this.#hosts.count - 1)
      return undefined
    }
    return new Promise((resolve, reject) => {
      this.connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('there is no connection'))))
    })
  }

  /** Tries again if another server has become the current one. */
  #try(callback: Callback, more: number): void {
    const before = this.#hosts.current()
    super.connect((error, client, done) => {
      if (error && more > 0 && this.#hosts.current() !== before) this.#try(callback, more - 1)
      else callback(error, client, done)
    })
  }
}

/** @throws NotWritable if the server is a standby, or read-only where the URL requires a server that can be written */
async function requireWritable(client: pg.ClientBase, hosts: Hosts): Promise<void> {
  const server = hosts.current()
  const { rows } = await client.query<{ standby: boolean; readOnly: boolean }>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only')::bool AS "readOnly"`,
  )
  const [found] = rows
  if (!found?.standby && !(hosts.url.target === 'read-write' && found?.readOnly)) return
  hosts.fail(server)
  throw new NotWritable('the server is a standby or read-only')
}

/**
 * Returns a function that retires all connections of a pool: after a failover, they lead to a server that is read-only.
 */
function trackConnections(pool: pg.Pool): () => void {
  const connections = new Set<pg.PoolClient>()
  const retired = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => connections.add(client))
  pool.on('remove', (client) => connections.delete(client))
  pool.on('release', (_error, client) => {
    if (retired.has(client)) void client.end()
  })
  return () => {
    for (const client of connections) retired.add(client)
    closeIdle(pool)
  }
}

/** Closes idle connections before any other work gets one: the queue of the pool is in order. */
function closeIdle(pool: pg.Pool): void {
  for (let count = pool.idleCount; count > 0; count--) pool.connect((_error, _client, done) => done(true))
}
