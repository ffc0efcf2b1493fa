import type { MeasuredServer } from './measured.ts'

/** What a request costs */
export type Sample = {
  perSecond: number
  /** CPU time of the process, with its threads */
  cpuMicros: number
  /** Time in which the event loop is busy */
  loopMicros: number
  /** CPU time of PostgreSQL, if it runs on this machine */
  databaseMicros: number
}

/** Measures what the requests that a function sends cost. It resolves to their number. */
export async function measureUse(measured: MeasuredServer, send: () => Promise<number>): Promise<Sample> {
  const before = await measured.request({ act: 'usage' })
  const startMs = performance.now()
  const requests = await send()
  const seconds = (performance.now() - startMs) / 1000
  const after = await measured.request({ act: 'usage' })
  return {
    perSecond: requests / seconds,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / requests,
    loopMicros: (after.loopMicros - before.loopMicros) / requests,
    databaseMicros: (after.databaseMicros - before.databaseMicros) / requests,
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Returns the median of each figure. */
export function medians(samples: readonly Sample[]): Sample {
  const of = (figure: keyof Sample): number => median(samples.map((sample) => sample[figure]))
  return {
    perSecond: of('perSecond'),
    cpuMicros: of('cpuMicros'),
    loopMicros: of('loopMicros'),
    databaseMicros: of('databaseMicros'),
  }
}
