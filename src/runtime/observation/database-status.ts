import { listMigrations } from '../../database/migrations/files.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { DatabaseStatus, Monitoring } from '../../store/monitoring.ts'

/** Between two reads. Metrics that are read more often have the values of the last one. */
const INTERVAL_MS = 5000
const READ_MS_MAX = 1000

/** Reports the backlogs, the administrators without a second factor and the migrations of the database. If it does not respond in time, they are left out. */
export function watchDatabase(metrics: Metrics, monitoring: Monitoring): void {
  const known = new Set(listMigrations())
  const read = atIntervals(() => withTimeout(monitoring.status()))

  metrics.watch('tawthiq_database_readable', async () => {
    const isReadable = await read().then(
      () => 1,
      () => 0,
    )
    return [{ labels: {}, value: isReadable }]
  })
  metrics.watch('tawthiq_backlog_items', async () => {
    const { backlogs } = await read()
    return Object.entries(backlogs).map(([backlog, { items }]) => ({ labels: { backlog }, value: items }))
  })
  metrics.watch('tawthiq_backlog_oldest_age_seconds', async () => {
    const { backlogs } = await read()
    return Object.entries(backlogs).map(([backlog, { oldestSeconds }]) => ({
      labels: { backlog },
      value: oldestSeconds,
    }))
  })
  metrics.watch('tawthiq_administrators_without_factor', async () => {
    const { administratorsWithoutFactor: value } = await read()
    return [{ labels: {}, value }]
  })
  metrics.watch('tawthiq_migrations', async () => countMigrations(await read(), known))
}

function countMigrations(
  { migrations }: DatabaseStatus,
  known: ReadonlySet<string>,
): { labels: { state: string }; value: number }[] {
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

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not respond in time')), READ_MS_MAX)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
