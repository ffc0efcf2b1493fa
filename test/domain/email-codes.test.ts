// Limits of the messages that verify an e-mail address, and their links.
import t from 'tap'
import { sendEmailCode, buildEmailLink, type EmailCode } from '../../src/domain/emails/email-code.ts'
import type { Failure } from '../../src/domain/failure.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const START_MS = 1_800_000_000_000
const EMAIL = 'sara@example.org'

const send = (current: EmailCode | undefined, nowMs: number, email = EMAIL): EmailCode =>
  sendEmailCode(current, { email, newWindowId: `window-${nowMs}`, nowMs })

/** Returns the code after messages at the given times, each with a code of its own. */
const sentAt = (...sentAtMs: number[]): EmailCode => ({
  email: EMAIL,
  windowId: null,
  expiresAtMs: 0,
  wrongTries: 0,
  sentAtMs,
})

/** Returns the seconds after which a rejected message may be sent, or `sent`. */
function result(current: EmailCode, nowMs: number, email = EMAIL): number | 'sent' {
  try {
    send(current, nowMs, email)
    return 'sent'
  } catch (error) {
    const { code, retryAfterSeconds } = error as Failure
    return code === 'rate_limited' ? (retryAfterSeconds ?? NaN) : NaN
  }
}

void t.test('sends to the same address once a minute, and to another one at once', (t) => {
  const current = sentAt(START_MS)
  t.equal(result(current, START_MS), 60)
  t.equal(result(current, START_MS + MINUTE_MS - 1), 1, 'rounded up')
  t.equal(result(current, START_MS + MINUTE_MS), 'sent')
  t.equal(result(current, START_MS + 1, 'other@example.org'), 'sent')
  t.end()
})

void t.test('sends five messages an hour, over all addresses', (t) => {
  const five = [0, 2, 4, 6, 8].map((minutes) => START_MS + minutes * MINUTE_MS)
  for (const email of [EMAIL, 'other@example.org']) {
    t.equal(result(sentAt(...five), START_MS + 10 * MINUTE_MS, email), 3000)
    t.equal(result(sentAt(...five), START_MS + HOUR_MS - 1, email), 1)
    t.equal(result(sentAt(...five), START_MS + HOUR_MS, email), 'sent')
    t.equal(result(sentAt(...five.slice(1)), START_MS + HOUR_MS - 1, email), 'sent')
  }
  t.end()
})

void t.test('sends ten messages a day, over all addresses', (t) => {
  const ten = Array.from({ length: 10 }, (_, at) => START_MS + 2 * at * HOUR_MS)
  for (const email of [EMAIL, 'other@example.org']) {
    t.equal(result(sentAt(...ten), START_MS + DAY_MS - 1, email), 1)
    t.equal(result(sentAt(...ten), START_MS + DAY_MS, email), 'sent')
    t.equal(result(sentAt(...ten.slice(1)), START_MS + DAY_MS - 1, email), 'sent')
  }
  t.end()
})

void t.test('records messages of the last day only', (t) => {
  const current = sentAt(START_MS, START_MS + 1)
  t.same(send(current, START_MS + DAY_MS).sentAtMs, [START_MS + 1, START_MS + DAY_MS])
  t.end()
})

void t.test('sends a valid code again for 15 more minutes, with its wrong tries', (t) => {
  const first = { ...send(undefined, START_MS), wrongTries: 4 }
  t.equal(first.expiresAtMs, START_MS + 15 * MINUTE_MS)
  const atMs = first.expiresAtMs - 1
  t.match(send(first, atMs), { windowId: first.windowId, wrongTries: 4, expiresAtMs: atMs + 15 * MINUTE_MS })
  t.end()
})

void t.test('sends a new code for an expired, exhausted or used one, and for another address', (t) => {
  const first = { ...send(undefined, START_MS), wrongTries: 4 }
  const atMs = START_MS + 2 * MINUTE_MS
  const others = {
    expired: [first, first.expiresAtMs, EMAIL],
    exhausted: [{ ...first, wrongTries: 5 }, atMs, EMAIL],
    used: [{ ...first, windowId: null }, atMs, EMAIL],
    'another address': [first, atMs, 'other@example.org'],
  } as const
  for (const [title, [current, nowMs, email]] of Object.entries(others)) {
    t.match(send(current, nowMs, email), { email, windowId: `window-${nowMs}`, wrongTries: 0 }, title)
  }
  t.end()
})

void t.test('adds the token and the action to the fragment of the page', (t) => {
  t.equal(buildEmailLink('https://a.test/email', 'abc', 'confirm'), 'https://a.test/email#token=abc&action=confirm')
  t.equal(buildEmailLink(undefined, 'abc', 'cancel'), 'abc', 'only the token without a page')
  t.end()
})
