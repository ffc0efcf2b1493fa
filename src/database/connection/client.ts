import pg from 'pg'
import type { Hosts } from './hosts.ts'
import { readInUtc } from './utc-times.ts'

/** The message of an error response of PostgreSQL: `code` is its SQLSTATE. */
type ErrorMessage = { code?: string }

/** A statement that writes was sent to a standby, or to a server that was made read-only. */
const READ_ONLY = '25006'

export type ClientOptions = Readonly<{
  /** undefined: the server is part of the other options */
  hosts?: Hosts | undefined
  /** Whether statements keep their names, so that they are prepared once per connection */
  allowsNames: boolean
  /** Called when the server of a connection turns out to be read-only */
  onReadOnly?: () => void
}>

/**
 * Returns a client of pg that connects to the current server of a URL, reads times correctly in every time zone, and can
 * leave out the names of statements, which a pooler would look for on another connection.
 */
export function clientClass({
  hosts,
  allowsNames,
  onReadOnly,
}: ClientOptions): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      const server = hosts?.current()
      super(server === undefined ? config : { ...config, connectionString: server })
      if (hosts && server !== undefined) reportFailures(this, () => hosts.fail(server), onReadOnly)
    }

    override query(config: unknown, values?: unknown, callback?: unknown): never {
      readInUtc(config)
      const sent = allowsNames ? config : withoutName(config)
      return Reflect.apply(super.query, this, [sent, values, callback]) as never // the overloads have no common type
    }
  }
}

/** Calls `fail` when the connection cannot be established, or its server turns out to be read-only. */
function reportFailures(client: pg.Client, fail: () => void, onReadOnly: (() => void) | undefined): void {
  const { connection } = client
  let isConnected = false
  client.once('connect', () => (isConnected = true))
  const failUnlessConnected = (): void => {
    if (!isConnected) fail()
  }
  connection.on('error', failUnlessConnected)
  connection.on('end', failUnlessConnected)
  connection.on('errorMessage', ({ code }: ErrorMessage) => {
    failUnlessConnected()
    if (code !== READ_ONLY) return
    fail()
    onReadOnly?.()
  })
}

function withoutName(config: unknown): unknown {
  return typeof config === 'object' && config !== null && 'name' in config ? { ...config, name: undefined } : config
}
