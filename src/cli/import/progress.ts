import bars, { type Options, type Params } from 'cli-progress'
import type { ImportState } from '../../domain/import.ts'
import type { Batch, RejectedRow } from './batches.ts'
import { getCode } from './report/lines.ts'

export function advanceState(
  state: ImportState,
  { rows }: Batch,
  rejected: readonly RejectedRow[],
  report: ImportState['report'],
): ImportState {
  const reasons = { ...state.reasons }
  for (const reason of rejected.flatMap(listReasons)) reasons[reason] = (reasons[reason] ?? 0) + 1
  return {
    rows: state.rows + rows.length,
    imported: state.imported + rows.length - rejected.length,
    refused: state.refused + rejected.length,
    reasons,
    report,
    finishedAt: undefined,
  }
}

/** Returns the reasons of a rejection. All unknown fields count as one reason. */
function listReasons({ failures }: RejectedRow): string[] {
  return Object.entries(failures).flatMap(([field, found = []]) =>
    found.map(getCode).map((code) => (code === 'unknown_field' ? `row: ${code}` : `${field}: ${code}`)),
  )
}

export type Progress = {
  /** @param bytes the size of the file */
  start(initial: ImportState, bytes: number): void
  /** @param bytes how much of the file is done */
  show(state: ImportState, bytes: number): void
  end(): void
}

type Shown = { rows: number; refused: number; perSecond: number; secondsLeft: number | undefined }

/** How often a line is printed without a terminal */
const LINE_MS = 3000

/** Shows a progress bar on a terminal, or prints a line at intervals elsewhere. */
export function progressBar(stream: NodeJS.WriteStream, nowMs: () => number): Progress {
  const format = (options: Options, { progress }: Params, shown: Shown): string =>
    `${stream.isTTY ? `${bars.Format.BarFormat(progress, options)} ` : ''}${formatLine(progress, shown)}`
  const bar = new bars.SingleBar({
    stream,
    format,
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    noTTYOutput: true,
    notTTYSchedule: LINE_MS,
  })
  let initial: ImportState | undefined
  let startMs = 0
  let total = 0
  return {
    start(state, bytes) {
      initial = state
      startMs = nowMs()
      total = bytes
      bar.start(bytes, 0, { rows: state.rows, refused: state.refused, perSecond: 0, secondsLeft: undefined })
    },
    show({ rows, refused }, bytes) {
      const perSecond = ((rows - (initial?.rows ?? 0)) * 1000) / Math.max(nowMs() - startMs, 1)
      const rowsLeft = ((total - bytes) * rows) / Math.max(bytes, 1)
      bar.update(bytes, { rows, refused, perSecond, secondsLeft: rowsLeft / Math.max(perSecond, 1) } satisfies Shown)
    },
    end: () => bar.stop(),
  }
}

function formatLine(progress: number, { rows, refused, perSecond, secondsLeft }: Shown): string {
  const left = secondsLeft === undefined ? '' : ` | ${formatDuration(secondsLeft)} left`
  const percent = String(Math.floor(progress * 100)).padStart(3)
  return `${percent}% | ${formatNumber(rows)} rows | ${formatNumber(perSecond)} per second | ${formatNumber(refused)} rejected${left}`
}

/** Formats 1234567 as 1,234,567. */
export function formatNumber(number: number): string {
  return Math.round(number).toLocaleString('en')
}

export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
