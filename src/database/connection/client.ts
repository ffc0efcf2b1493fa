// The driver adapter of Prisma sends times without an offset and ignores the offset of those that it reads, so it is
// right only in sessions whose time zone is UTC. The zone can be another one: a role or a database sets it, and behind a
// pooler no start-up option overrides it. Here times have an offset in both directions, whatever the zone.
import pg from 'pg'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Hosts } from './hosts.ts'
import { share, type Adapter } from './shared.ts'

/** The message of an error response of PostgreSQL: `code` is its SQLSTATE. */
type ErrorMessage = { code?: string }

/** A statement that writes was sent to a standby, or to a server that was made read-only. */
const READ_ONLY = '25006'

type ClientOptions = Readonly<{
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
      // pg leaves the connection open when it has no password for the server, which waits for one
      this.connection.on('error', () => this.connection.stream.destroy())
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

type Queryable = Pick<Adapter, 'queryRaw' | 'executeRaw'>
type AdapterQuery = Parameters<Queryable['queryRaw']>[0]
type ArgumentType = AdapterQuery['argTypes'][number]

type GetTypeParser = (type: number, format?: string) => unknown
/** A query of the adapter. It asks for rows as arrays, and brings its own parsers. */
type AdapterConfig = { rowMode: 'array'; types: { getTypeParser: GetTypeParser } }

const TIME_ARRAY = 1185
const parseTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (wire: string) => Date // pg declares any
const parseTimes = pg.types.getTypeParser(TIME_ARRAY as never) as (wire: string) => (Date | null)[] // not declared

/** Makes a query of the adapter read times with their offsets. Other queries are left as they are. */
function readInUtc(config: unknown): void {
  if (!isOfAdapter(config)) return
  const { getTypeParser } = config.types
  config.types.getTypeParser = (type, format) =>
    (format === 'text' ? PARSERS.get(type) : undefined) ?? getTypeParser(type, format)
}

const PARSERS = new Map<number, (wire: string) => unknown>([
  [pg.types.builtins.TIMESTAMPTZ, (wire) => parseTime(wire).toISOString()],
  [TIME_ARRAY, (wire) => parseTimes(wire).map((time) => time?.toISOString() ?? null)],
])

function isOfAdapter(config: unknown): config is AdapterConfig {
  return typeof config === 'object' && config !== null && 'rowMode' in config && 'types' in config
}

/** The adapter of Prisma for a pool. It sends times with their offset. */
export class UtcPrismaPg extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = withOffsets(await super.connect())
    const { startTransaction } = adapter
    adapter.startTransaction = async (level) => share(withOffsets(await startTransaction.call(adapter, level)))
    return adapter
  }
}

function withOffsets<Target extends Queryable>(target: Target): Target {
  const { queryRaw, executeRaw } = target
  target.queryRaw = (query) => queryRaw.call(target, addOffsets(query))
  target.executeRaw = (query) => executeRaw.call(target, addOffsets(query))
  return target
}

function addOffsets(query: AdapterQuery): AdapterQuery {
  if (!query.argTypes.some(isTime)) return query
  return {
    ...query,
    args: query.args.map((arg, at) => (isTime(query.argTypes[at]) ? addOffset(arg) : arg)),
    argTypes: query.argTypes.map((type) => (isTime(type) ? { ...type, scalarType: 'string' } : type)),
  }
}

function isTime(type: ArgumentType | undefined): boolean {
  return type?.scalarType === 'datetime' && type.dbType !== 'DATE' && type.dbType !== 'TIME'
}

function addOffset(arg: unknown): unknown {
  if (Array.isArray(arg)) return arg.map(addOffset)
  return typeof arg === 'string' || arg instanceof Date ? new Date(arg).toISOString() : arg
}
