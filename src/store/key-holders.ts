import { column, execute, query, queryOnlyRow, type Driver } from '../database/sql.ts'
import { inTransaction } from '../database/transaction.ts'
import type { HeldKeys, KeyHolder } from '../domain/key-agreement.ts'
import type { StoreParts } from './changes.ts'

/** The instances of the service with the fingerprints of their keys. */
export type KeyHolders = {
  read(): Promise<ReadHolders>
  /** Stores the keys of a running instance. It counts as stopped if it does not repeat this within 90 seconds. */
  put(instance: HeldKeys & { id: string; name: string }): Promise<void>
  stop(id: string): Promise<void>
}

/** The holders, last seen first, and the time of the database, by which their keys are dated */
export type ReadHolders = Readonly<{ nowMs: number; holders: readonly KeyHolder[] }>

const SILENCE_SECONDS_MAX = 90

const READ = query<ReadHolders>(
  {
    nowMs: column(`(extract(epoch FROM service_now()) * 1000)::float8`),
    holders: column(`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'keys', keys, 'used', used,
      'isRunning', NOT is_stopped AND seen_at > service_now() - interval '${SILENCE_SECONDS_MAX} seconds')
      ORDER BY seen_at DESC), '[]') FROM instances)`),
  },
  (list) => `SELECT ${list}`,
  'key-holders',
)

/** Lets only one of several instances record a key. */
const LOCK = 'LOCK TABLE instances IN SHARE ROW EXCLUSIVE MODE'
/** Also records for each purpose the first use of a key that replaces another one. */
const PUT = `
  WITH rotated AS (
    INSERT INTO audit_events (event, subject)
    SELECT 'key_rotated', u.key || ' ' || u.value FROM jsonb_each_text($4::jsonb) u
    WHERE EXISTS (SELECT FROM instances i WHERE i.used ? u.key)
      AND NOT EXISTS (SELECT FROM instances i WHERE i.used->>u.key = u.value))
  INSERT INTO instances (id, name, keys, used, seen_at) VALUES ($1::uuid, $2, $3::jsonb, $4::jsonb, service_now())
  ON CONFLICT (id) DO UPDATE SET keys = excluded.keys, used = excluded.used, seen_at = excluded.seen_at`

export function keyHolders({ pool }: StoreParts): KeyHolders {
  return {
    read: () => readKeyHolders(pool),
    async put({ id, name, keys, used }) {
      await inTransaction(pool, async (connection) => {
        await execute(connection, LOCK)
        await execute(connection, PUT, id, name, JSON.stringify(keys), JSON.stringify(used))
      })
    },
    async stop(id) {
      await execute(pool, 'UPDATE instances SET is_stopped = true WHERE id = $1::uuid', id)
    },
  }
}

export function readKeyHolders(driver: Driver): Promise<ReadHolders> {
  return queryOnlyRow(driver, READ)
}
