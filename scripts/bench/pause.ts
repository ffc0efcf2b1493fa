// Measures the first updates of clients after a pause, beside later ones.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../load/session.ts'
import { measure, THIS } from './measure.ts'
import { startVariant } from './variant.ts'
import { median } from './verdict.ts'
import { updatesOf } from './works.ts'
import { sendRound, writeRequests } from './wrk.ts'

const ROUNDS = 9
const WARM_UPS = 6
/** The requests that are measured, over connections that the client opens for them */
const FIRST = 100

/** In which the requests end that wrk has left at the end of a round */
const LEFT_MS = 200

type Cost = { totalMicros: number; latencyMicros: number }

/** Returns the CPU time and the median latency of the first updates after a pause, times those of later ones. */
export async function benchPause(session: Session, serverUrl: string, seconds: number): Promise<string> {
  const variant = await startVariant(session, serverUrl, THIS)
  const { folder, origin } = variant
  const file = await writeRequests(folder, 'updates', origin, updatesOf(variant, 'client'))
  const measureAfter = async (ms: number): Promise<Cost> => {
    await sleep(ms)
    let latencyMicros = Number.NaN
    const { totalMicros } = await measure(variant, async () => {
      const round = await sendRound(origin, file, FIRST)
      latencyMicros = round.latencyMicros
      return round.requests
    })
    return { totalMicros, latencyMicros }
  }
  for (let round = 0; round < WARM_UPS; round++) await sendRound(origin, file)
  await variant.settle()
  const rounds: { cold: Cost; warm: Cost }[] = []
  while (rounds.length < ROUNDS) {
    await sendRound(origin, file)
    const cold = await measureAfter(seconds * 1000)
    await sendRound(origin, file)
    rounds.push({ cold, warm: await measureAfter(LEFT_MS) })
  }
  const ratioOf = (of: keyof Cost): string => median(rounds.map(({ cold, warm }) => cold[of] / warm[of])).toFixed(2)
  const latencies = (['cold', 'warm'] as const).map((of) => median(rounds.map((round) => round[of].latencyMicros)))
  const inMs = latencies.map((micros) => `${(micros / 1000).toFixed(1)} ms`).join(', ')
  return `After ${seconds} s: ${ratioOf('totalMicros')} times the CPU time, ${ratioOf('latencyMicros')} times the latency (${inMs})`
}
