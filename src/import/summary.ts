import type { ImportState } from '../domain/import.ts'
import type { Outcome } from './outcome.ts'
import { grouped, timeOf } from './progress.ts'

const REASONS_MAX = 10

/** What is said before the first row of an import that was interrupted. */
export function greeting({ rows, imported, refused }: ImportState): string {
  return `Going on behind row ${grouped(rows)}: ${grouped(imported)} were imported and ${grouped(refused)} refused before.`
}

/** What came of an import, in words. */
export function summary({ state, end, rows, ms }: Outcome, isDryRun: boolean): string {
  const counts = `${grouped(state.rows)} rows, ${grouped(state.imported)} imported, ${grouped(state.refused)} refused.`
  const seconds = ms / 1000
  const speed = `${grouped(rows)} rows took ${timeOf(seconds)}, ${grouped(rows / Math.max(seconds, 0.001))} a second.`
  const { finishedAt } = state
  const [first, ...more] = {
    done: isDryRun ? [`Nothing was written. The import would be: ${counts}`, speed] : [`Done: ${counts}`, speed],
    known: [`This file was imported already, until ${finishedAt?.toISOString() ?? 'now'}: ${counts} Nothing is done.`],
    stopped: isDryRun
      ? [`Stopped. Nothing was written. Until then it would have been: ${counts}`]
      : [`Stopped: ${counts}`, 'Run the same command again to go on.'],
  }[end]
  return [first, ...more, ...reasonsOf(state), ...reportOf(state)].join('\n')
}

function reasonsOf({ reasons }: ImportState): string[] {
  const sorted = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  if (sorted.length === 0) return []
  const width = grouped(sorted[0]?.[1] ?? 0).length + 2
  const lines = sorted.slice(0, REASONS_MAX).map(([reason, count]) => `${grouped(count).padStart(width)}  ${reason}`)
  return [sorted.length > REASONS_MAX ? 'Why, most frequent first:' : 'Why:', ...lines]
}

function reportOf({ report }: ImportState): string[] {
  return report ? [`The refused rows, and why: ${report.path}`] : []
}
