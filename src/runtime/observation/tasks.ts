import { timed, type Metrics } from '../../lib/metrics.ts'

type Work = () => Promise<void>

/** Returns a function that measures the runs of a periodic task. */
export function taskMetrics(metrics: Metrics | undefined): (task: string, work: Work) => Work {
  if (!metrics) return (_task, work) => work
  const successes = new Map<string, number>()
  metrics.watch('tawthiq_maintenance_last_success_timestamp_seconds', () =>
    [...successes].map(([task, value]) => ({ labels: { task }, value })),
  )
  return (name, work) => {
    const task = name.replaceAll(' ', '_')
    const observe = metrics.duration('tawthiq_maintenance_duration_seconds', { task })
    return async () => {
      try {
        await timed(observe, work)
        successes.set(task, Date.now() / 1000)
        metrics.count('tawthiq_maintenance_runs_total', { task, outcome: 'success' })
      } catch (error) {
        metrics.count('tawthiq_maintenance_runs_total', { task, outcome: 'failure' })
        throw error
      }
    }
  }
}
