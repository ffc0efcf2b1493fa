import { maskAddress, parseNetwork } from '../../domain/text.ts'
import type { AuditFilters, AuditRow } from '../../store/audit/trail.ts'
import type { Store } from '../../store/index.ts'
import { UsageError } from '../program.ts'

type FilterOptions = Readonly<Partial<Record<'request-id' | 'address' | 'since' | 'until', string | undefined>>>
type Filters = Pick<AuditFilters, 'requestId' | 'network' | 'since' | 'until'>

const LISTED_MAX = 1000
/** A day, or a time with its zone */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/** @throws UsageError for an invalid value */
export function parseAuditFilters(options: FilterOptions): Filters {
  return {
    requestId: options['request-id'],
    network: parseAddress(options.address),
    since: parseTime('since', options.since),
    until: parseTime('until', options.until),
  }
}

function parseAddress(text: string | undefined): string | undefined {
  const network = text === undefined ? undefined : parseNetwork(text)
  if (text === undefined || network !== undefined) return network
  throw new UsageError(`--address must be an IP address, or a masked one such as 203.0.113.*, not ${text}.`)
}

function parseTime(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (TIME.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(time.getTime())) return time
  throw new UsageError(`--${name} must be a day in UTC or a time such as 2026-11-21T09:30:00Z, not ${text}.`)
}

/** JavaScript reads the 30th of February as a day of March. */
function isDay(text: string): boolean {
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Returns the newest events that match the filters, one per line, and records that they were read. */
export async function showAudit(
  { network, requestId, since, until }: Filters,
  { audit, auditTrail }: Pick<Store, 'audit' | 'auditTrail'>,
): Promise<string> {
  const { rows, isCut } = await listWholeTimes({ network, requestId, since, until }, auditTrail)
  await audit.record({ event: 'audit_listed', subject: 'command line', address: null, requestId: null })
  if (rows.length === 0) return 'No events match.'
  const more = isCut ? [`Older events match, too: add --until ${rows.at(-1)?.at.toISOString()}`] : []
  return [...rows.map(describe), ...more].join('\n')
}

/** Lists all events of each time or none, so that `--until` the last one leaves none out. */
async function listWholeTimes(
  filters: Filters,
  auditTrail: Store['auditTrail'],
  limit = LISTED_MAX,
): Promise<{ rows: AuditRow[]; isCut: boolean }> {
  const rows = await auditTrail.list(filters, limit + 1)
  const next = rows[limit]
  if (!next) return { rows, isCut: false }
  const newer = rows.filter(({ at }) => at > next.at)
  return newer.length > 0 ? { rows: newer, isCut: true } : listWholeTimes(filters, auditTrail, 10 * limit)
}

function describe({ at, event, accountId, actorId, subject, address, requestId, reason }: AuditRow): string {
  return [
    at.toISOString(),
    event,
    accountId === null ? 'no account' : `account ${accountId}`,
    ...(actorId === null ? [] : [`by account ${actorId}`]),
    ...(address === null ? [] : [`from ${maskAddress(address)}`]),
    ...(requestId === null ? [] : [`request ${requestId}`]),
    ...(subject === null ? [] : [subject]),
    ...(reason === null ? [] : [JSON.stringify(reason)]),
  ].join('  ')
}
