import fc from 'fast-check'
import t from 'tap'
import { retryAfterSeconds } from '../../src/domain/event.ts'

const LEAST = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

void t.test('retries events on the documented schedule, with jitter', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
      const seconds = retryAfterSeconds(attempts, chance)
      const least = LEAST[attempts - 1]
      if (least === undefined) return seconds === undefined
      return seconds !== undefined && seconds >= least && seconds <= least * 1.2
    }),
  )
  t.end()
})
