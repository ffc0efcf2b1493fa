import type { Keys } from '../../adapters/keys/index.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { readVersion } from '../../lib/version.ts'
import type { Store } from '../../store/index.ts'
import { watchDatabase } from './database-status.ts'

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
