// The exact limits of SMS codes, and the moments at which a code starts and ends to be accepted.
// test/property/phone-verification.test.ts holds their invariants.
import t from 'tap'
import type { Failure } from '../../src/domain/failure.ts'
import {
  NO_WINDOW_ID,
  verificationOf,
  confirm,
  send,
  withdrawSend,
  type PhoneVerification,
  type Decision,
} from '../../src/domain/phones/phone-verification.ts'
import { secondsToNextSend, type CodeEvent } from '../../src/domain/phones/otp-limits.ts'

const TARGET = { phone: '+966512345678', purpose: 'verification' } as const
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const NOW_MS = 1_800_000_000_000

const EMPTY: PhoneVerification = {
  ...TARGET,
  windowId: 'old',
  state: 'used',
  startedAtMs: 0,
  expiresAtMs: 0,
  confirmedAtMs: undefined,
  wrongTries: 0,
  sends: [],
  wrong: [],
  other: undefined,
}

/** Returns events of a network at the given numbers of milliseconds before now. */
const events = (by: string, ...msAgo: number[]): CodeEvent[] => msAgo.map((ms) => ({ atMs: NOW_MS - ms, by }))
const inOrder = (...lists: CodeEvent[][]): CodeEvent[] => lists.flat().sort((a, b) => a.atMs - b.atMs)
const times = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at))

/** Returns the seconds that a network must wait for a code after some sends; undefined if it gets one. */
function wait(sends: CodeEvent[], by = 'a'): { code: string; seconds: number } | undefined {
  try {
    send({ ...EMPTY, sends }, TARGET, 'new', NOW_MS, { by })
    return undefined
  } catch (error) {
    const { code, retryAfterSeconds = NaN } = error as Failure
    return { code, seconds: retryAfterSeconds }
  }
}

void t.test('waits 60, 120 and 300 seconds between the codes of an hour', (t) => {
  const earlier = [50, 40, 30].map((minutes) => minutes * MINUTE_MS)
  for (const [count, seconds] of [60, 120, 300, 300].entries()) {
    const sends = (lastMsAgo: number): CodeEvent[] => events('a', ...earlier.slice(0, count), lastMsAgo)
    t.same(wait(sends(0)), { code: 'otp_cooldown', seconds }, `code ${count + 2}`)
    t.same(wait(sends(seconds * SECOND_MS - 1)), { code: 'otp_cooldown', seconds: 1 })
    t.equal(wait(sends(seconds * SECOND_MS)), undefined)
  }
  t.end()
})

void t.test('waits 60 seconds after a code of another network', (t) => {
  const own = events('a', 50 * MINUTE_MS, 40 * MINUTE_MS, 30 * MINUTE_MS)
  for (const sends of [own, []]) {
    t.same(wait(inOrder(sends, events('b', 0))), { code: 'otp_cooldown', seconds: 60 })
    t.same(wait(inOrder(sends, events('b', 20 * SECOND_MS))), { code: 'otp_cooldown', seconds: 40 })
    t.equal(wait(inOrder(sends, events('b', MINUTE_MS))), undefined)
  }
  const recent = inOrder(own, events('a', 30 * SECOND_MS), events('b', 10 * SECOND_MS))
  t.same(wait(recent), { code: 'otp_cooldown', seconds: 270 }, 'the longer cooldown of the own codes')
  t.end()
})

void t.test('sends a network five codes an hour', (t) => {
  const five = [0, 10, 20, 30, 40].map((minutes) => HOUR_MS - 1 - minutes * MINUTE_MS)
  t.same(wait(events('a', ...five)), { code: 'otp_send_limit', seconds: 1 })
  t.equal(wait(events('a', HOUR_MS, ...five.slice(1))), undefined)
  t.equal(wait(events('a', ...five), 'b'), undefined, 'another network')
  t.end()
})

void t.test('sends a network ten codes a day', (t) => {
  const ten = times(10, (at) => DAY_MS - 1 - at * 2 * HOUR_MS)
  t.same(wait(events('a', ...ten)), { code: 'otp_send_limit', seconds: 1 })
  t.equal(wait(events('a', DAY_MS, ...ten.slice(1))), undefined)
  t.end()
})

void t.test('sends codes to eight networks a day', (t) => {
  const networks = (firstMsAgo: number): CodeEvent[] => [
    ...events('network 0', firstMsAgo),
    ...times(7, (at) => ({ atMs: NOW_MS - (20 - at) * HOUR_MS, by: `network ${at + 1}` })),
  ]
  t.same(wait(networks(DAY_MS - 1), 'a ninth network'), { code: 'otp_send_limit', seconds: 1 })
  t.equal(wait(networks(DAY_MS), 'a ninth network'), undefined)
  t.equal(wait(networks(DAY_MS - 1), 'network 7'), undefined, 'one of the eight')
  t.end()
})

void t.test('sends each network two codes a day, and eight more to all of them', (t) => {
  const one = events('a', 23 * HOUR_MS)
  const two = events('a', 23 * HOUR_MS, 22 * HOUR_MS)
  const others = (count: number): CodeEvent[] => events('b', ...times(count, (at) => (21 - at) * HOUR_MS))
  const more = events('c', ...times(5, (at) => (12 - at) * HOUR_MS))
  t.equal(wait(inOrder(two, others(9))), undefined, 'seven shared')
  t.equal(wait(inOrder(two, others(7), more.slice(0, 4))), undefined, 'seven shared by two networks')
  t.match(wait(inOrder(two, others(7), more)), { code: 'otp_send_limit' }, 'eight shared')
  t.equal(wait(inOrder(one, others(7), more)), undefined, 'one of the own two')
  t.end()
})

void t.test('sends a number without limits a code at once, and does not count it', (t) => {
  const sends = events('a', ...times(20, (at) => (19 - at) * SECOND_MS))
  t.same(send({ ...EMPTY, sends }, TARGET, 'new', NOW_MS, { by: 'a', isLimited: false }).sends, [])
  t.end()
})

void t.test('announces no cooldown before the first code', (t) => {
  t.equal(secondsToNextSend({ sends: [] }, 'a', NOW_MS), 0)
  t.equal(secondsToNextSend({ sends: events('a', 0) }, 'a', NOW_MS), 60)
  t.end()
})

const SENT: PhoneVerification = {
  ...EMPTY,
  windowId: 'sent',
  state: 'sent',
  startedAtMs: NOW_MS - 2 * MINUTE_MS,
  expiresAtMs: NOW_MS + MINUTE_MS,
}

function tryCode(verification: PhoneVerification | undefined, isRight = true, by = 'a'): Decision | string {
  try {
    return confirm(verification, TARGET, { isRight, by }, NOW_MS)
  } catch (error) {
    const { code, retryAfterSeconds } = error as Failure
    return `${code} ${String(retryAfterSeconds)}`
  }
}

const lasts = 'the limit of the tries'
const isAllowed = (history: Pick<PhoneVerification, 'sends' | 'wrong'>, by = 'a'): boolean =>
  typeof tryCode({ ...SENT, ...history }, true, by) !== 'string'

void t.test('allows a network with a code five wrong tries in ten minutes', (t) => {
  const sends = events('a', HOUR_MS)
  const five = events('a', 10 * MINUTE_MS - 1, 4000, 3000, 2000, 1000)
  t.equal(tryCode({ ...SENT, sends, wrong: five }), 'otp_tries_exhausted 1', lasts)
  t.ok(isAllowed({ sends, wrong: events('a', 10 * MINUTE_MS, 4000, 3000, 2000, 1000) }))
  t.ok(isAllowed({ sends: [...sends, ...events('b', HOUR_MS)], wrong: five }, 'b'), 'another network with a code')
  t.end()
})

void t.test('allows a network with a code ten wrong tries in a day', (t) => {
  const sends = events('a', DAY_MS - 1)
  const ten = times(10, (at) => DAY_MS - 1 - at * HOUR_MS)
  t.equal(tryCode({ ...SENT, sends, wrong: events('a', ...ten) }), 'otp_tries_exhausted 1', lasts)
  t.ok(isAllowed({ sends, wrong: events('a', DAY_MS, ...ten.slice(1)) }))
  const recent = events('a', 23 * HOUR_MS, ...ten.slice(2), MINUTE_MS)
  t.equal(tryCode({ ...SENT, sends, wrong: recent }), 'otp_tries_exhausted 3600', 'not after ten minutes')
  t.end()
})

void t.test('allows all networks without a code five wrong tries in ten minutes', (t) => {
  const wrong = inOrder(events('x', 4000, 3000), events('y', 2000, 1000))
  t.ok(isAllowed({ sends: [], wrong }, 'z'))
  t.match(tryCode({ ...SENT, wrong: [...events('y', 5000), ...wrong] }, true, 'z'), /^otp_tries_exhausted/)
  t.ok(isAllowed({ sends: [], wrong: [...events('y', 10 * MINUTE_MS), ...wrong] }, 'z'))
  const sends = events('y', HOUR_MS)
  t.ok(isAllowed({ sends, wrong: [...events('y', 5000), ...wrong] }, 'z'), 'tries of a network with a code')
  t.end()
})

void t.test('allows networks without a code ten wrong tries a day, which are shared with the others', (t) => {
  const wrong = (count: number): CodeEvent[] => events('x', ...times(count, (at) => (20 - at) * HOUR_MS))
  t.ok(isAllowed({ sends: [], wrong: wrong(9) }, 'z'))
  t.notOk(isAllowed({ sends: [], wrong: wrong(10) }, 'z'))
  const sends = events('a', 20 * HOUR_MS)
  const own = (count: number): CodeEvent[] => events('a', ...times(count, (at) => (19 - at) * HOUR_MS))
  t.ok(isAllowed({ sends, wrong: inOrder(wrong(10), own(4)) }), 'five of its own')
  t.notOk(isAllowed({ sends, wrong: inOrder(wrong(10), own(5)) }))
  t.ok(isAllowed({ sends, wrong: inOrder(wrong(9), own(5)) }), 'one shared')
  t.end()
})

void t.test('allows 50 wrong tries for a number in a day', (t) => {
  const networks = times(9, (at) => `network ${at}`)
  const sends = networks.map((by) => ({ atMs: NOW_MS - 20 * HOUR_MS, by }))
  const wrong = networks.flatMap((by) => times(5, () => ({ atMs: NOW_MS - 19 * HOUR_MS, by })))
  const more = (count: number): CodeEvent[] => events('network 0', ...times(count, () => 18 * HOUR_MS))
  t.ok(isAllowed({ sends: [...sends, ...events('a', HOUR_MS)], wrong: [...wrong, ...more(4)] }))
  t.notOk(isAllowed({ sends: [...sends, ...events('a', HOUR_MS)], wrong: [...wrong, ...more(5)] }))
  t.end()
})

const isConfirmed = (verification: PhoneVerification | undefined, isRight = true): boolean => {
  const verdict = tryCode(verification, isRight)
  return typeof verdict !== 'string' && verdict.isConfirmed
}

void t.test('confirms a sent code until it expires', (t) => {
  t.ok(isConfirmed({ ...SENT, expiresAtMs: NOW_MS + 1 }))
  t.notOk(isConfirmed({ ...SENT, expiresAtMs: NOW_MS }))
  t.notOk(isConfirmed(SENT, false), 'a wrong code')
  t.notOk(isConfirmed(undefined), 'no code')
  t.notOk(isConfirmed({ ...SENT, state: 'used' }), 'a used code')
  t.match(tryCode(SENT), { isRepeated: false, next: { state: 'confirmed', confirmedAtMs: NOW_MS } })
  t.end()
})

void t.test('confirms a confirmed code again for ten minutes, without a change', (t) => {
  const confirmed = { ...SENT, state: 'confirmed', confirmedAtMs: NOW_MS - 10 * MINUTE_MS + 1 } as const
  t.match(tryCode(confirmed), { isConfirmed: true, isRepeated: true, next: confirmed })
  t.notOk(isConfirmed({ ...confirmed, confirmedAtMs: NOW_MS - 10 * MINUTE_MS }))
  t.notOk(isConfirmed({ ...confirmed, confirmedAtMs: undefined }))
  t.notOk(isConfirmed({ ...confirmed, state: 'used' }), 'a used code')
  t.end()
})

void t.test('counts a wrong try with its network and its time, even without a code', (t) => {
  const wrong = [{ atMs: NOW_MS, by: 'a' }]
  t.match(tryCode(SENT, false), {
    isConfirmed: false,
    isRepeated: false,
    next: { windowId: 'sent', state: 'sent', wrongTries: 1, wrong },
  })
  t.match(tryCode(undefined), { next: { ...TARGET, windowId: NO_WINDOW_ID, state: 'used', wrongTries: 1, wrong } })
  t.end()
})

void t.test('rejects a used code without counting it', (t) => {
  const used = { ...SENT, state: 'used' } as const
  t.match(tryCode(used), { isConfirmed: false, isRepeated: true, next: used })
  t.match(tryCode(used, false), { isConfirmed: false, isRepeated: false, next: { wrongTries: 1 } })
  t.end()
})

void t.test('sends the same code again for five minutes, and while it is confirmed', (t) => {
  const next = (verification: PhoneVerification): PhoneVerification =>
    send(verification, TARGET, 'new', NOW_MS, { by: 'a' })
  const expiresAtMs = NOW_MS + 5 * MINUTE_MS
  t.match(next({ ...SENT, startedAtMs: NOW_MS - 5 * MINUTE_MS + 1, wrongTries: 3 }), {
    windowId: 'sent',
    expiresAtMs,
    wrongTries: 3,
  })
  t.match(next({ ...SENT, startedAtMs: NOW_MS - 5 * MINUTE_MS }), {
    windowId: 'new',
    expiresAtMs,
    startedAtMs: NOW_MS,
    wrongTries: 0,
  })
  const confirmed = { ...SENT, state: 'confirmed', startedAtMs: 0, confirmedAtMs: NOW_MS - 10 * MINUTE_MS + 1 } as const
  t.match(next(confirmed), { windowId: 'sent', state: 'confirmed' })
  t.match(next({ ...confirmed, confirmedAtMs: NOW_MS - 10 * MINUTE_MS }), { windowId: 'new', state: 'sent' })
  t.match(next({ ...SENT, state: 'used' }), { windowId: 'new', state: 'sent' })
  t.end()
})

void t.test('sends no code to a network without tries', (t) => {
  const sends = events('a', HOUR_MS)
  const wrong = events('a', 5000, 4000, 3000, 2000, 1000)
  t.throws(() => send({ ...SENT, sends, wrong }, TARGET, 'new', NOW_MS, { by: 'a' }), { code: 'otp_tries_exhausted' })
  t.throws(() => send({ ...SENT, sends, wrong }, TARGET, 'new', NOW_MS, { by: 'a', isLimited: false }), {
    code: 'otp_tries_exhausted',
  })
  t.end()
})

void t.test('withdraws one send only', (t) => {
  const sends = inOrder(events('a', 1000, 0), events('b', 0))
  const verification = { ...SENT, sends: events('a', 0) }
  const rest = inOrder(events('a', 1000), events('b', 0))
  t.same(withdrawSend({ ...SENT, sends }, { before: undefined, verification }).sends, rest)
  t.same(withdrawSend({ ...SENT, sends }, { before: undefined, verification: SENT }).sends, sends, 'none was counted')
  t.end()
})

void t.test('leaves no code behind that was never sent', (t) => {
  const verification = send(undefined, TARGET, 'new', NOW_MS, { by: 'a' })
  const closed = withdrawSend(verification, { before: undefined, verification })
  t.match(closed, { windowId: NO_WINDOW_ID, state: 'used', sends: [], wrongTries: 0 })
  t.equal(confirm(closed, TARGET, { isRight: true, by: 'a' }, NOW_MS).isConfirmed, false)
  const tried = confirm(verification, TARGET, { isRight: false, by: 'b' }, NOW_MS).next ?? verification
  t.match(withdrawSend(tried, { before: undefined, verification }), {
    state: 'used',
    wrongTries: 1,
    wrong: [{ by: 'b' }],
  })
  const guessed = confirm(verification, TARGET, { isRight: true, by: 'b' }, NOW_MS).next ?? verification
  t.equal(withdrawSend(guessed, { before: undefined, verification }).state, 'used')
  t.end()
})

void t.test('restores the code that was sent before a rejected one', (t) => {
  const first = send(undefined, TARGET, 'first', NOW_MS, { by: 'a' })
  const resent = send(first, TARGET, 'unused', NOW_MS + MINUTE_MS, { by: 'a' })
  t.same(withdrawSend(resent, { before: first, verification: resent }), first, 'the same verification')
  const tried = { ...resent, wrongTries: 2 }
  t.match(withdrawSend(tried, { before: { ...first, wrongTries: 2 }, verification: tried }), { wrongTries: 2 })
  const later = send(resent, TARGET, 'second', NOW_MS + 5 * MINUTE_MS, { by: 'a' })
  t.equal(later.windowId, 'second')
  t.same(withdrawSend(later, { before: resent, verification: later }), resent, 'a new verification')
  const next = send(later, TARGET, 'unused', NOW_MS + 8 * MINUTE_MS, { by: 'b' })
  t.match(withdrawSend(next, { before: resent, verification: later }), {
    windowId: 'second',
    expiresAtMs: next.expiresAtMs,
  })
  t.end()
})

void t.test('counts the wrong tries of the restored code and those since the rejected send', (t) => {
  const before = { ...SENT, wrongTries: 3 }
  const verification = send({ ...before, state: 'used' }, TARGET, 'new', NOW_MS + HOUR_MS, { by: 'a' })
  t.equal(verification.wrongTries, 0)
  t.match(withdrawSend({ ...verification, wrongTries: 1 }, { before, verification }), {
    windowId: 'sent',
    wrongTries: 4,
  })
  t.end()
})

void t.test('preserves the code of the other purpose', (t) => {
  const reset = verificationOf({ ...SENT, wrongTries: 2, sends: events('a', 1000) }, 'reset')
  t.match(reset, { purpose: 'reset', windowId: NO_WINDOW_ID, state: 'used', confirmedAtMs: undefined, wrongTries: 0 })
  t.same(reset?.sends, events('a', 1000), 'sends count for the number')
  const sent = reset && send(reset, { ...TARGET, purpose: 'reset' }, 'new', NOW_MS + HOUR_MS, { by: 'a' })
  t.match(sent, { purpose: 'reset', windowId: 'new' })
  const back = verificationOf(sent, 'verification')
  t.match(back, { purpose: 'verification', windowId: 'sent', state: 'sent', wrongTries: 2 })
  t.match(back?.other, { purpose: 'reset', windowId: 'new', state: 'sent' })
  t.equal(verificationOf(SENT, 'verification'), SENT)
  t.equal(verificationOf(undefined, 'reset'), undefined)
  t.end()
})
