import type { Keys } from '../../adapters/keys/index.ts'
import { withDeadline } from '../../adapters/resilience/deadline.ts'
import { listMigrations } from '../../database/migrations/files.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Metrics, Sample } from '../../lib/metrics.ts'
import { readVersion } from '../../lib/version.ts'
import type { Store } from '../../store/index.ts'
import type { DatabaseStatus, Monitoring } from '../../store/monitoring.ts'

type Parts = { store: Store; keys: Pick<Keys, 'usedKids'>; clock: Clock; commit: string | undefined }

const DATE = /\d{4}-\d\d-\d\d/

/** Reports the build, the keys and the database. */
export function watchService(metrics: Metrics | undefined, { store, keys, clock, commit = '' }: Parts): void {
  if (!metrics) return
  const build = { version: readVersion(), commit, node: process.version }
  metrics.watch('tawthiq_build_info', () => [{ labels: build, value: 1 }])
  metrics.watch('tawthiq_key_age_seconds', () => {
    return Object.entries(keys.usedKids).flatMap(([list, kid]) => {
      const date = DATE.exec(kid)?.[0]
      return date === undefined ? [] : [{ labels: { list }, value: (clock.nowMs() - Date.parse(date)) / 1000 }]
    })
  })
  watchDatabase(metrics, store.monitoring)
}

/** Between two reads. Metrics that are read more often have the values of the last one. */
const INTERVAL_MS = 5000
const READ_MS_MAX = 1000

/** Reports what the store monitors. These metrics are left out if the database does not respond in time. */
function watchDatabase(metrics: Metrics, monitoring: Monitoring): void {
  const known = new Set(listMigrations())
  const read = atIntervals(() => withDeadline(READ_MS_MAX, () => monitoring.status()))

  metrics.watch('tawthiq_database_readable', async () => {
    const [{ status }] = await Promise.allSettled([read()])
    return [{ labels: {}, value: status === 'fulfilled' ? 1 : 0 }]
  })
  const readBacklogs = async (measure: 'items' | 'oldestSeconds'): Promise<Sample<'backlog'>[]> =>
    Object.entries((await read()).backlogs).map(([backlog, each]) => ({ labels: { backlog }, value: each[measure] }))
  metrics.watch('tawthiq_backlog_items', () => readBacklogs('items'))
  metrics.watch('tawthiq_backlog_oldest_age_seconds', () => readBacklogs('oldestSeconds'))
  metrics.watch('tawthiq_administrators_without_factor', async () => {
    const { administratorsWithoutFactor: value } = await read()
    return [{ labels: {}, value }]
  })
  metrics.watch('tawthiq_migrations', async () => countMigrations(await read(), known))
}

function countMigrations({ migrations }: DatabaseStatus, known: ReadonlySet<string>): Sample<'state'>[] {
  const applied = migrations.filter((name) => known.has(name)).length
  const counts = { applied, pending: known.size - applied, unknown: migrations.length - applied }
  return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }))
}

/** Shares each result, or error, for an interval. Also, only one read runs at a time. */
function atIntervals<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<Result> | undefined
  let isRunning = false
  let nextMs = 0
  return () => {
    if (last && (isRunning || performance.now() < nextMs)) return last
    isRunning = true
    last = read().finally(() => {
      isRunning = false
      nextMs = performance.now() + INTERVAL_MS
    })
    return last
  }
}
