import pg from 'pg'
import { nameConnections } from '../compatibility/versions-in-use.ts'
import { clientClass } from './client.ts'
import { createHosts, tlsOptions, type Hosts } from './hosts.ts'
import { openHostsPool, survivingErrors } from './pool.ts'
import { SETTING_OPTIONS } from './settings.ts'
import { waitForServer, type Wait } from './wait.ts'

/** A PostgreSQL server, or several of which one can be written. */
export type DatabaseServer = Readonly<{
  url: string
  connectionsMax: number
  /** How many connections stay open, however long they are idle. Default: none */
  connectionsKept?: number
  /** Replaces the password of both URLs */
  password?: string | undefined
  /** The pooler behind the URL gives each transaction any of its connections, so a session has no state */
  pooler?: 'transaction' | undefined
  /** The same database without a pooler, for work that needs a session. Default: the URL */
  directUrl?: string | undefined
  /** Without it, a server that accepts no connections is an error at once */
  wait?: Wait | undefined
}>

/** What a request waits for at most. There is no circuit breaker: the pool connects again when the server responds. */
const [CONNECT_MS_MAX, STATEMENT_MS_MAX] = [1000, 2000]
/** A pool that closes connections earlier makes each short pause end with new ones, whose first statements are slow. */
const IDLE_MS_MAX = 600_000
/** After which a network is told that an idle connection is in use: many forget one after some minutes */
const KEEP_ALIVE_MS = 30_000

/** Opens the pool of connections for requests. */
export function openPool(server: DatabaseServer, types: pg.CustomTypesConfig): pg.Pool {
  const hosts = createHosts(server.url, server.password)
  const isPooled = server.pooler !== undefined
  const timeouts = { query_timeout: STATEMENT_MS_MAX, ...(!isPooled && { statement_timeout: STATEMENT_MS_MAX }) }
  const options = isPooled ? poolerOptions(hosts) : sessionOptions(hosts)
  const size = { max: server.connectionsMax, min: server.connectionsKept, idleTimeoutMillis: IDLE_MS_MAX }
  return openHostsPool({ ...options, ...timeouts, ...size, types }, hosts, !isPooled)
}

/** Opens a pool that has its own way to the server, such as that of the embedded database. */
export function openPlainPool(options: pg.PoolConfig, types: pg.CustomTypesConfig): pg.Pool {
  return survivingErrors(new pg.Pool({ ...options, types, Client: clientClass({ allowsNames: true }) }))
}

/** One connection, and how to close it */
export type Direct = Readonly<{ client: pg.Client; close(): Promise<void> }>

/**
 * Opens one connection without a pooler and without timeouts of statements, for example for migrations.
 *
 * @throws the error of the last server, if there is none that can be used
 */
export async function connectDirectly({ wait, ...server }: DatabaseServer): Promise<Direct> {
  return waitForServer(() => connectOnce(server), wait)
}

async function connectOnce({ url, directUrl, password }: DatabaseServer): Promise<Direct> {
  const hosts = createHosts(directUrl ?? url, password)
  const pool = openHostsPool({ ...sessionOptions(hosts, '-c statement_timeout=0'), max: 1 }, hosts, true)
  try {
    const client = await pool.connect()
    const close = async (): Promise<void> => {
      client.release(true)
      await pool.end()
    }
    return { client, close }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** Returns the same server without its pooler, for commands that need sessions. */
export function withoutPooler({ pooler: _, directUrl, ...server }: DatabaseServer): DatabaseServer {
  return { ...server, url: directUrl ?? server.url }
}

function sessionOptions(hosts: Hosts, more = ''): pg.PoolConfig {
  const settings = [more, hosts.url.options, SETTING_OPTIONS].filter(Boolean)
  return { ...poolerOptions(hosts), options: settings.join(' ') }
}

/** Returns options that a pooler accepts: it rejects start-up options of sessions. */
function poolerOptions({ url }: Hosts): pg.PoolConfig {
  return {
    connectionTimeoutMillis: CONNECT_MS_MAX,
    application_name: nameConnections(url.applicationName),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ssl: tlsOptions(url),
    ...(url.isSslDirect && { sslnegotiation: 'direct' as const }),
    ...(url.options !== undefined && { options: url.options }),
  }
}
