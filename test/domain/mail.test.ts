import t from 'tap'
import { mailRetrySeconds } from '../../src/domain/mail.ts'

const DAY_SECONDS = 86_400

void t.test('waits longer after each attempt, up to an hour', (t) => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 100].map((attempts) => mailRetrySeconds(attempts, 3 * DAY_SECONDS, 0))
  t.same(delays, [5, 30, 120, 300, 600, 1800, 3600, 3600])
  t.equal(mailRetrySeconds(7, 3 * DAY_SECONDS, 1), 4320)
  t.end()
})

void t.test('waits for half of the remaining time at most', (t) => {
  t.equal(mailRetrySeconds(7, 900, 1), 450)
  t.equal(mailRetrySeconds(1, 20, 1), 6)
  t.equal(mailRetrySeconds(7, 20, 0), 10)
  t.equal(mailRetrySeconds(1, 19.9, 0), undefined)
  t.end()
})
