import { column, query, queryOnlyRow } from '../database/sql.ts'
import { EVENT_STATE } from './events/outbox.ts'
import { HAS_VOUCHED_FACTOR } from './factors/state.ts'
import { IS_WAITING } from './mails/take.ts'
import type { StoreParts } from './changes.ts'

/** The items of each backlog. The order must be that of an index, with the oldest item first. */
const BACKLOGS = {
  events: { from: 'events', where: `${EVENT_STATE} = 'waiting'`, order: 'id', at: 'at' },
  mails: { from: 'mail_outbox', where: IS_WAITING, order: 'id', at: 'created_at' },
  unsealed_audit_events: {
    from: 'audit_events',
    where: 'id > coalesce((SELECT max(to_id) FROM audit_seals), 0)',
    order: 'id',
    at: 'at',
  },
} as const

export type BacklogName = keyof typeof BACKLOGS
export type Backlog = Readonly<{ items: number; oldestSeconds: number }>

export type DatabaseStatus = Readonly<{
  backlogs: Readonly<Record<BacklogName, Backlog>>
  administratorsWithoutFactor: number
  /** The names of the applied migrations */
  migrations: readonly string[]
}>

export type Monitoring = {
  /** Reads what operators watch, in one statement. */
  status(): Promise<DatabaseStatus>
}

/** Counting more would take long */
const ITEMS_MAX = 10_000

const NAMES = Object.keys(BACKLOGS) as BacklogName[]

const STATUS = query<DatabaseStatus>(
  {
    backlogs: column(`jsonb_build_object(${NAMES.map((name) => `'${name}', ${backlogSql(name)}`).join(', ')})`),
    administratorsWithoutFactor: column(
      `(SELECT count(*)::int FROM accounts a WHERE a.is_admin AND a.status = 'active' AND NOT (${HAS_VOUCHED_FACTOR.sql}))`,
    ),
    migrations: column(
      'ARRAY(SELECT migration_name::text FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL)',
    ),
  },
  (list) => `SELECT ${list}`,
  'monitoring',
)

function backlogSql(name: BacklogName): string {
  const { from, where, order, at } = BACKLOGS[name]
  const items = `SELECT 1 FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${ITEMS_MAX}`
  const oldest = `SELECT extract(epoch FROM service_now() - ${at}) FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT 1`
  return `jsonb_build_object('items', (SELECT count(*) FROM (${items}) AS i),
    'oldestSeconds', greatest(0, coalesce((${oldest}), 0)))`
}

export function monitoring({ pool }: StoreParts): Monitoring {
  return { status: () => queryOnlyRow(pool, STATUS) }
}
