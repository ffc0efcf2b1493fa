import t from 'tap'
import {
  FAILED_MESSAGES,
  isWaitedFor,
  evaluateConversion,
  NETWORK_MESSAGES,
  SILENT_MESSAGES,
  TRIAL_MESSAGES,
  type MessageOutcome,
} from '../../src/domain/phones/conversion.ts'

type Given = Partial<MessageOutcome>

/** Returns messages of different networks. */
const messages = (count: number, given: Given = {}): MessageOutcome[] =>
  Array.from({ length: count }, (_, index) => ({
    network: `network ${index}`,
    hasArrived: false,
    hasFailed: false,
    ...given,
  }))
const silent = (due: MessageOutcome[]): ReturnType<typeof evaluateConversion> =>
  evaluateConversion('closed', { due, reported: [] })
const failing = (reported: MessageOutcome[]): ReturnType<typeof evaluateConversion> =>
  evaluateConversion('closed', { due: [], reported })
const trial = (due: MessageOutcome[]): ReturnType<typeof evaluateConversion> =>
  evaluateConversion('half_open', { due, reported: [] })

void t.test('pauses a provider after 30 messages of which none has arrived', (t) => {
  t.equal(silent(messages(SILENT_MESSAGES - 1)), undefined)
  t.same(silent(messages(SILENT_MESSAGES)), { next: 'open', reason: 'not_delivered' })
  t.end()
})

void t.test('does not pause a provider if one of the last 30 messages has arrived', (t) => {
  const arrived = messages(1, { network: 'other', hasArrived: true })
  t.equal(silent([...messages(SILENT_MESSAGES - 1), ...arrived]), undefined)
  t.same(silent([...messages(SILENT_MESSAGES), ...arrived]), { next: 'open', reason: 'not_delivered' })
  t.end()
})

void t.test('waits for at most 30 messages without a sign of arrival, and 10 of a network', (t) => {
  const networks = messages(SILENT_MESSAGES).map(({ network }) => network)
  t.ok(isWaitedFor(networks))
  t.notOk(isWaitedFor(networks.slice(1)))
  t.notOk(isWaitedFor([...Array<string>(200).fill('attacker'), ...networks.slice(11)]))
  t.ok(isWaitedFor([...Array<string>(200).fill('attacker'), ...networks.slice(10)]))
  t.end()
})

void t.test('counts at most 10 of these messages for a network', (t) => {
  const one = messages(200, { network: 'attacker' })
  t.equal(silent(one), undefined)
  t.equal(silent([...one, ...messages(SILENT_MESSAGES - NETWORK_MESSAGES.silent - 1)]), undefined)
  t.same(silent([...one, ...messages(SILENT_MESSAGES - NETWORK_MESSAGES.silent)])?.next, 'open')
  t.end()
})

void t.test('pauses a provider after 10 failures in the last 20 receipts', (t) => {
  const failed = messages(FAILED_MESSAGES, { hasFailed: true })
  const delivered = messages(11, { network: 'x', hasArrived: true }).map((each, index) => ({
    ...each,
    network: `delivered ${index}`,
  }))
  t.equal(failing(failed.slice(1)), undefined)
  t.same(failing(failed), { next: 'open', reason: 'failed' })
  t.same(failing([...delivered.slice(1), ...failed]), { next: 'open', reason: 'failed' })
  t.equal(failing([...delivered, ...failed]), undefined, 'the tenth failure is the 21st receipt')
  t.end()
})

void t.test('counts at most 4 failures for a network', (t) => {
  const one = messages(100, { network: 'attacker', hasFailed: true })
  t.equal(failing(one), undefined)
  const others = messages(FAILED_MESSAGES - NETWORK_MESSAGES.failed, { hasFailed: true })
  t.equal(failing([...one, ...others.slice(1)]), undefined)
  t.same(failing([...one, ...others])?.next, 'open')
  t.end()
})

void t.test('ends a pause after one message has arrived', (t) => {
  t.same(trial(messages(1, { hasArrived: true })), { next: 'closed' })
  t.same(trial([...messages(5), ...messages(1, { hasArrived: true })]), { next: 'closed' })
  t.end()
})

void t.test('pauses a provider again after three trial messages of different networks', (t) => {
  t.equal(trial([]), undefined)
  t.equal(trial(messages(TRIAL_MESSAGES - 1)), undefined)
  t.equal(trial(messages(50, { network: 'attacker' })), undefined)
  t.same(trial(messages(TRIAL_MESSAGES)), { next: 'open', reason: 'not_delivered' })
  t.end()
})

void t.test('does not judge during a pause', (t) => {
  t.equal(evaluateConversion('open', { due: messages(50, { hasArrived: true }), reported: [] }), undefined)
  t.end()
})
