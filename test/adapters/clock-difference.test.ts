// The clock of an instance beside that of its database.
import t from 'tap'
import { clockComparison, clockDifference, evaluateClock } from '../../src/lib/clock-difference.ts'
import type { Log } from '../../src/lib/log.ts'

void t.test('measures at least how far two clocks differ', (t) => {
  const rows: [serverMs: number, expected: number][] = [
    [1000, 0],
    [1500, 0],
    [2000, 0],
    [2500, 500],
    [400, -600],
  ]
  for (const [serverMs, expected] of rows) t.equal(clockDifference(serverMs, 1000, 2000), expected, `${serverMs} ms`)
  t.end()
})

void t.test('warns above 30 seconds, and rejects above 5 minutes', (t) => {
  for (const ms of [0, 30_000, -30_000]) t.equal(evaluateClock(ms), undefined, `${ms} ms`)
  t.match(evaluateClock(31_000), { isFatal: false, text: /is 31 s behind that of the database/ })
  t.match(evaluateClock(-300_000), { isFatal: false, text: /is 300 s ahead of that of the database/ })
  t.match(evaluateClock(-301_000), { isFatal: true, text: /is 301 s ahead of .* Use NTP on both\.$/ })
  t.end()
})

/** Compares a clock that is ahead by each of some times in turn, which an operator, and not a test, has changed. */
async function compare(...aheads: number[]): Promise<string[]> {
  const lines: string[] = []
  const log = { warn: (line: string) => lines.push(line) } as unknown as Log
  let aheadMs = 0
  const compared = clockComparison({ clock: { nowMs: () => 1_000_000 + aheadMs }, log })
  for (const ahead of aheads) {
    aheadMs = ahead
    await compared(async () => ({ nowMs: 1_000_000 }))
  }
  return lines
}

void t.test('logs a difference once, and rejects only that of the first read', async (t) => {
  t.same(await compare(0, 1000, -29_000), [])
  t.match(await compare(40_000, 41_000, 0, 42_000), [/ 40 s ahead/, / 42 s ahead/])
  t.match(await compare(0, 600_000), [/ 600 s ahead/], 'a running instance goes on')
  await t.rejects(compare(600_000), { name: 'StartupError', message: / 600 s ahead of / })
  await t.rejects(compare(-600_000), { name: 'StartupError', message: / 600 s behind / })
})
