import type { ImportState } from '../../../domain/import.ts'
import type { Outcome } from '../batches.ts'
import { formatNumber, formatDuration } from '../progress.ts'

const REASONS_MAX = 10

/** Returns the message at the start of a resumed import. */
export function describeResume({ rows, imported, refused }: ImportState): string {
  return `Resuming after row ${formatNumber(rows)}: ${formatNumber(imported)} imported and ${formatNumber(refused)} rejected so far.`
}

export function summary({ state, end, rows, ms }: Outcome, isDryRun: boolean): string {
  const counts = `${formatNumber(state.rows)} rows, ${formatNumber(state.imported)} imported, ${formatNumber(state.refused)} rejected.`
  const seconds = ms / 1000
  const speed = `${formatNumber(rows)} rows in ${formatDuration(seconds)} (${formatNumber(rows / Math.max(seconds, 0.001))} per second).`
  const [first, ...more] = {
    done: isDryRun
      ? [`Dry run, nothing was written. The import would give: ${counts}`, speed]
      : [`Completed: ${counts}`, speed],
    known: [
      `This file was already imported, at ${state.finishedAt?.toISOString() ?? 'an unknown time'}: ${counts} Nothing was changed.`,
    ],
    stopped: isDryRun
      ? [`Stopped. Dry run, nothing was written. The rows until then would give: ${counts}`]
      : [`Stopped: ${counts}`, 'Run the same command again to continue.'],
  }[end]
  const report = state.report ? [`Rejected rows and their errors: ${state.report.path}`] : []
  return [first, ...more, ...formatReasons(state), ...report].join('\n')
}

function formatReasons({ reasons }: ImportState): string[] {
  const sorted = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  if (sorted.length === 0) return []
  const width = formatNumber(sorted[0]?.[1] ?? 0).length + 2
  const lines = sorted
    .slice(0, REASONS_MAX)
    .map(([reason, count]) => `${formatNumber(count).padStart(width)}  ${reason}`)
  return [sorted.length > REASONS_MAX ? 'Most frequent errors:' : 'Errors:', ...lines]
}
