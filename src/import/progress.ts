import bars, { type Options, type Params } from 'cli-progress'
import type { ImportState } from '../domain/import.ts'

export type Progress = {
  /** @param bytes of the file */
  begin(began: ImportState, bytes: number): void
  /** @param bytes of the file that are done */
  show(state: ImportState, bytes: number): void
  end(): void
}

type Shown = { rows: number; refused: number; perSecond: number; secondsLeft: number | undefined }

/** How often there is a line where there is no terminal. */
const LINE_MS = 3000

/** A bar on a terminal, and a line now and then elsewhere. */
export function progressBar(stream: NodeJS.WriteStream, nowMs: () => number): Progress {
  const format = (options: Options, { progress }: Params, shown: Shown): string =>
    `${stream.isTTY ? `${bars.Format.BarFormat(progress, options)} ` : ''}${lineOf(progress, shown)}`
  const bar = new bars.SingleBar({
    stream,
    format,
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    noTTYOutput: true,
    notTTYSchedule: LINE_MS,
  })
  let began: ImportState | undefined
  let beganMs = 0
  let total = 0
  return {
    begin(state, bytes) {
      began = state
      beganMs = nowMs()
      total = bytes
      bar.start(bytes, 0, { rows: state.rows, refused: state.refused, perSecond: 0, secondsLeft: undefined })
    },
    show({ rows, refused }, bytes) {
      const perSecond = ((rows - (began?.rows ?? 0)) * 1000) / Math.max(nowMs() - beganMs, 1)
      const rowsLeft = ((total - bytes) * rows) / Math.max(bytes, 1)
      bar.update(bytes, { rows, refused, perSecond, secondsLeft: rowsLeft / Math.max(perSecond, 1) } satisfies Shown)
    },
    end: () => bar.stop(),
  }
}

function lineOf(progress: number, { rows, refused, perSecond, secondsLeft }: Shown): string {
  const left = secondsLeft === undefined ? '' : ` | ${timeOf(secondsLeft)} left`
  const percent = String(Math.floor(progress * 100)).padStart(3)
  return `${percent}% | ${grouped(rows)} rows | ${grouped(perSecond)} a second | ${grouped(refused)} refused${left}`
}

/** 1234567 is 1,234,567 */
export function grouped(number: number): string {
  return Math.round(number).toLocaleString('en')
}

export function timeOf(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
