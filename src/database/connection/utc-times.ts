// The driver adapter of Prisma sends times without an offset and ignores the offset of those that it reads, so it is
// right only in sessions whose time zone is UTC. The zone can be another one: a role or a database sets it, and behind a
// pooler no start-up option overrides it. Here times have an offset in both directions, whatever the zone.
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>
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
export function readInUtc(config: unknown): void {
  if (!isOfAdapter(config)) return
  const { getTypeParser } = config.types
  config.types.getTypeParser = (type, format) =>
    (format === 'text' ? PARSERS.get(type) : undefined) ?? getTypeParser(type, format)
}

const PARSERS = new Map<number, (wire: string) => unknown>([
  [pg.types.builtins.TIMESTAMPTZ, (wire) => toText(parseTime(wire))],
  [TIME_ARRAY, (wire) => parseTimes(wire).map((time) => time && toText(time))],
])

function toText(time: Date): string {
  return time.toISOString()
}

function isOfAdapter(config: unknown): config is AdapterConfig {
  return typeof config === 'object' && config !== null && 'rowMode' in config && 'types' in config
}

/** The adapter of Prisma for a pool. It sends times with their offset. */
export class UtcPrismaPg extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = withOffsets(await super.connect())
    const { startTransaction } = adapter
    adapter.startTransaction = async (level) => withOffsets(await startTransaction.call(adapter, level))
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
  return typeof arg === 'string' || arg instanceof Date ? toText(new Date(arg)) : arg
}
