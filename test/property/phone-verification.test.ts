// The invariants of a phone number's verifications, for any sequence of sends, guesses and pauses.
import fc from 'fast-check'
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { Failure } from '../../src/domain/failure.ts'
import { secondsToNextSend } from '../../src/domain/phones/otp-limits.ts'
import { confirm, send, withdrawSend, type PhoneVerification } from '../../src/domain/phones/phone-verification.ts'

const PHONE = { phone: '+966512345678', purpose: 'verification' } as const
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Step = { act: 'send' | 'guess' | 'confirm' | 'fail to send'; waitMs: number; by: string }

const wait = fc.oneof(
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 0, max: 10 * MINUTE_MS }),
  fc.integer({ min: 0, max: 5 * HOUR_MS }),
)
/** Half of the steps belong to network 0; the others are spread over all networks, like an attack. */
const NETWORKS = Array.from({ length: 12 }, (_, at) => `network ${at}`)
const by = fc.oneof(fc.constantFrom(...NETWORKS), fc.constant('network 0'))
const step: fc.Arbitrary<Step> = fc.record({
  by,
  act: fc.constantFrom('send', 'guess', 'confirm', 'fail to send'),
  waitMs: wait,
})

type Recorded = { atMs: number; by: string; windowId: string; what: 'sent' | 'wrong' | 'right' }

type Run = {
  records: Recorded[]
  refused: Failure[]
  lastRefusal: Failure | undefined
  verification: PhoneVerification | undefined
  nowMs: number
}

/** Runs the steps; returns the results that callers received, and the rejections. */
function simulate(steps: Step[]): Run {
  let verification: PhoneVerification | undefined
  let nowMs = 1_800_000_000_000
  let verifications = 0
  const records: Recorded[] = []
  const refused: Failure[] = []
  let lastRefusal: Failure | undefined
  for (const { act, waitMs, by } of steps) {
    nowMs += waitMs
    lastRefusal = undefined
    try {
      if (act === 'send' || act === 'fail to send') {
        const before = verification
        const next = send(before, PHONE, `verification-${++verifications}`, nowMs, { by })
        verification = act === 'send' ? next : withdrawSend(next, { before, verification: next })
        if (act === 'send') records.push({ atMs: nowMs, by, windowId: next.windowId, what: 'sent' })
      } else {
        const judged = confirm(verification, PHONE, { isRight: act === 'confirm', by }, nowMs)
        const isJudged = judged.next !== verification || judged.isConfirmed
        verification = judged.next
        if (isJudged && verification)
          records.push({
            atMs: nowMs,
            by,
            windowId: verification.windowId,
            what: judged.isConfirmed ? 'right' : 'wrong',
          })
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      lastRefusal = error
      refused.push(error)
    }
  }
  return { records, refused, lastRefusal, verification, nowMs }
}

function always(title: string, property: (run: ReturnType<typeof simulate>) => boolean): void {
  void t.test(title, (t) => {
    t.doesNotThrow(() =>
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), (steps) => property(simulate(steps))),
        { numRuns: 2000 },
      ),
    )
    t.end()
  })
}

function mostIn(periodMs: number, events: Recorded[]): number {
  return Math.max(
    0,
    ...events.map(({ atMs }) => events.filter((each) => each.atMs > atMs - periodMs && each.atMs <= atMs).length),
  )
}

const { otp } = LIMITS

/** The events of one kind, grouped by network */
function ofEach(records: Recorded[], what: Recorded['what']): Recorded[][] {
  return NETWORKS.map((each) => records.filter((event) => event.by === each && event.what === what))
}

always('limits the wrong attempts of a network in ten minutes and in a day', ({ records }) =>
  ofEach(records, 'wrong').every(
    (own) =>
      mostIn(otp.wrong_minutes * MINUTE_MS, own) <= otp.wrong_per_window && mostIn(DAY_MS, own) <= otp.wrong_per_day,
  ),
)

always('counts all networks without a code of their own as one network', ({ records }) => {
  const requesting = new Set(records.filter(({ what }) => what === 'sent').map((event) => event.by))
  const others = records.filter((event) => event.what === 'wrong' && !requesting.has(event.by))
  return mostIn(otp.wrong_minutes * MINUTE_MS, others) <= otp.wrong_per_window
})

always('limits the wrong attempts for a number in a day, over all networks', ({ records }) => {
  const wrong = records.filter(({ what }) => what === 'wrong')
  return mostIn(DAY_MS, wrong) <= otp.wrong_per_number_per_day
})

always('limits the codes of a network for a number in an hour and in a day', ({ records }) =>
  ofEach(records, 'sent').every(
    (own) => mostIn(HOUR_MS, own) <= otp.sends_per_hour && mostIn(DAY_MS, own) <= otp.sends_per_day,
  ),
)

always('limits the codes for a number in a day, over all networks', ({ records }) => {
  const sent = records.filter(({ what }) => what === 'sent')
  return mostIn(DAY_MS, sent) <= otp.sends_per_number_per_day
})

always('confirms only codes that were sent', ({ records }) => {
  const sent = new Set(records.filter(({ what }) => what === 'sent').map(({ windowId }) => windowId))
  return records.every(({ what, windowId }) => what !== 'right' || sent.has(windowId))
})

void t.test('limits a number by its networks', (t) => {
  t.equal(otp.networks_per_day * otp.own_wrong_per_day + otp.shared_wrong_per_day, otp.wrong_per_number_per_day)
  t.equal(otp.networks_per_day * otp.own_sends_per_day + otp.shared_sends_per_day, otp.sends_per_number_per_day)
  t.end()
})

const attack = fc.array(
  fc.record({
    act: fc.constantFrom('send' as const, 'guess' as const),
    by: fc.constantFrom(...NETWORKS.slice(0, 7)),
    waitMs: fc.oneof(fc.constant(60_000), wait),
  }),
  { maxLength: 120 },
)

void t.test('lets an eighth network confirm within a minute during an attack by seven others', (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(attack, fc.array(fc.nat(6), { maxLength: 60 }), (steps, guesses) => {
        const { verification: attacked, nowMs } = simulate(steps)
        const owner = { by: 'the owner' }
        const atMs = nowMs + 1000 * (attacked ? secondsToNextSend(attacked, owner.by, nowMs) : 0)
        if (atMs > nowMs + 60_000) return false
        let verification = send(attacked, PHONE, 'of the owner', atMs, owner)
        for (const guess of guesses) {
          try {
            verification =
              confirm(verification, PHONE, { isRight: false, by: NETWORKS[guess] ?? '' }, atMs).next ?? verification
          } catch (error) {
            if (!(error instanceof Failure)) throw error
          }
        }
        for (let tries = 0; tries < 4; tries++)
          verification = confirm(verification, PHONE, { isRight: false, ...owner }, atMs).next ?? verification
        return confirm(verification, PHONE, { isRight: true, ...owner }, atMs).isConfirmed
      }),
      { numRuns: 2000 },
    ),
  )
  t.end()
})

void t.test('does not reveal an active code when rejecting attempts', (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.array(by, { maxLength: 40 }), (steps, guesses) => {
        const { verification, nowMs } = simulate(steps)
        if (!verification) return true
        let [one, other] = [verification, { ...verification, state: 'used' as const }] as [
          PhoneVerification,
          PhoneVerification,
        ]
        return guesses.every((network) => {
          const guess = (current: PhoneVerification): [PhoneVerification, string] => {
            try {
              const { next = current } = confirm(current, PHONE, { isRight: false, by: network }, nowMs)
              return [next, 'wrong']
            } catch (error) {
              if (!(error instanceof Failure)) throw error
              return [current, `${error.code} ${error.retryAfterSeconds ?? ''}`]
            }
          }
          const results = [guess(one), guess(other)] as const
          ;[one, other] = [results[0][0], results[1][0]]
          return results[0][1] === results[1][1]
        })
      }),
      { numRuns: 1000 },
    ),
  )
  t.end()
})

always('never sends two codes within the shortest cooldown', ({ records }) => {
  const sent = records.filter(({ what }) => what === 'sent')
  return sent.every(
    ({ atMs }, at) => at === 0 || atMs - (sent[at - 1]?.atMs ?? 0) >= LIMITS.otp.cooldown_seconds[0] * 1000,
  )
})

always('never accepts an unconfirmed code ten minutes after its verification began', ({ records }) => {
  const verifications = new Set(records.map(({ windowId }) => windowId))
  return [...verifications].every((id) => {
    const own = records.filter(({ windowId }) => windowId === id)
    const first = own.find(({ what }) => what === 'sent')
    const confirmed = own.find(({ what }) => what === 'right')
    return !first || !confirmed || confirmed.atMs - first.atMs <= 2 * LIMITS.otp.confirm_minutes * MINUTE_MS
  })
})

always('expires confirmations in time', ({ records }) => {
  const right = records.filter(({ what }) => what === 'right')
  return right.every(({ atMs, windowId }) => {
    const first = right.find((each) => each.windowId === windowId)
    return atMs - (first?.atMs ?? atMs) < LIMITS.otp.use_minutes * MINUTE_MS
  })
})

always('returns the time to wait with a rejection, in whole seconds', ({ refused }) =>
  refused.every(
    ({ retryAfterSeconds = 0 }) =>
      Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1 && retryAfterSeconds * 1000 <= DAY_MS,
  ),
)

void t.test('sends without limits at once and leaves no cooldown', (t) => {
  let verification: PhoneVerification | undefined
  for (let sends = 0; sends < 50; sends++) {
    verification = send(verification, PHONE, `verification-${sends}`, 1_800_000_000_000 + sends, {
      by: 'a',
      isLimited: false,
    })
    t.same(verification.sends, [])
  }
  t.equal(
    send(verification, PHONE, 'another', 1_800_000_001_000, { by: 'a' }).windowId,
    'verification-0',
    'a limited send may follow at once',
  )
  t.end()
})

void t.test('allows a send after the announced cooldown', (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const sending = [...steps, { act: 'send' as const, waitMs: 0, by: 'network 0' }]
        const { lastRefusal } = simulate(sending)
        if (lastRefusal?.code !== 'otp_cooldown') return true
        const later = simulate([
          ...sending,
          { act: 'send', waitMs: (lastRefusal.retryAfterSeconds ?? 0) * 1000, by: 'network 0' },
        ])
        return later.lastRefusal?.code !== 'otp_cooldown'
      }),
      { numRuns: 2000 },
    ),
  )
  t.end()
})

/** Sends codes at the given intervals where that is allowed, and at the first allowed moment otherwise. */
function sendAll(waits: number[]): { verification: PhoneVerification; nowMs: number } {
  let nowMs = 1_800_000_000_000
  let verification = send(undefined, PHONE, 'verification-0', nowMs, { by: 'a' })
  for (const [index, waitMs] of waits.entries()) {
    nowMs += Math.max(waitMs, 1000 * secondsToNextSend(verification, 'a', nowMs))
    verification = send(verification, PHONE, `verification-${index + 1}`, nowMs, { by: 'a' })
  }
  return { verification, nowMs }
}

function refusalOf(verification: PhoneVerification, atMs: number): string | undefined {
  try {
    send(verification, PHONE, 'another', atMs, { by: 'a' })
    return undefined
  } catch (error) {
    return error instanceof Failure ? error.code : 'another error'
  }
}

void t.test('announces the exact second of the next send', (t) => {
  const seen = new Set<number>()
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(wait, { maxLength: 25 }), (waits) => {
        const { verification, nowMs } = sendAll(waits)
        const seconds = secondsToNextSend(verification, 'a', nowMs)
        seen.add(seconds)
        const early = refusalOf(verification, nowMs + (seconds - 1) * 1000)
        return (
          refusalOf(verification, nowMs + seconds * 1000) === undefined &&
          (early === 'otp_cooldown' || early === 'otp_send_limit')
        )
      }),
      { numRuns: 3000 },
    ),
  )
  for (const seconds of LIMITS.otp.cooldown_seconds) t.ok(seen.has(seconds), `a cooldown of ${seconds} s`)
  t.ok(Math.max(...seen) > 3600, 'an exhausted daily limit')
  t.end()
})

void t.test('announces the same time in a rejected send', (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(wait, { maxLength: 25 }), fc.integer({ min: 0, max: 10 * MINUTE_MS }), (waits, laterMs) => {
        const { verification, nowMs } = sendAll(waits)
        const atMs = nowMs + laterMs
        try {
          send(verification, PHONE, 'another', atMs, { by: 'a' })
          return secondsToNextSend(verification, 'a', atMs) === 0
        } catch (error) {
          const { retryAfterSeconds } = error as Failure
          return retryAfterSeconds === secondsToNextSend(verification, 'a', atMs)
        }
      }),
      { numRuns: 3000 },
    ),
  )
  t.end()
})
