import type { MeasuredServer } from './measured.ts'

const LOGINS = 20
const ROUNDS = 3

/** How long the event loop is late (p99) while logins run, and how many logins a second there are. */
export async function benchLogins(measured: MeasuredServer): Promise<string> {
  const startMs = performance.now()
  await measured.request({ act: 'watch delay' })
  for (let round = 0; round < ROUNDS; round++) await Promise.all(Array.from({ length: LOGINS }, () => measured.logIn()))
  const { delayMs } = await measured.request({ act: 'delay' })
  const perSecond = (LOGINS * ROUNDS) / ((performance.now() - startMs) / 1000)
  return `${LOGINS} logins at once\n  event-loop delay, p99   ${delayMs.toFixed(1)} ms\n  logins a second         ${perSecond.toFixed(1)}`
}
