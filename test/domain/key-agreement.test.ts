// When a new key is used, and which instances do not agree on their keys.
import t from 'tap'
import {
  dateKeys,
  findMismatches,
  keyWaitMs,
  mustWait,
  type HeldKeys,
  type KeyHolder,
} from '../../src/domain/key-agreement.ts'

const NOW_MS = 1_800_000_000_000
const MINUTE_MS = 60_000

/** An instance that has learned of its tokens keys at these times, and signs with `used` */
function holder(keys: Record<string, number>, used: string, isRunning = true): KeyHolder {
  const tokens = Object.entries(keys).map(([fingerprint, knownAtMs]) => ({ fingerprint, knownAtMs }))
  return { id: used, name: used, isRunning, keys: { tokens }, used: { tokens: used } }
}

void t.test('dates a key by the first holder, and a key that was used not at all', (t) => {
  const early = holder({ next: NOW_MS - 9000, old: NOW_MS - 8000 }, 'old')
  const late = holder({ next: NOW_MS - 5000, old: NOW_MS - 7000 }, 'old', false)
  t.same(dateKeys({ tokens: ['unknown', 'next', 'old'] }, [late, early], NOW_MS)['tokens'], [
    { fingerprint: 'unknown', knownAtMs: NOW_MS },
    { fingerprint: 'next', knownAtMs: NOW_MS - 9000 },
    { fingerprint: 'old', knownAtMs: 0 },
  ])
  t.end()
})

void t.test('a new key waits for stored JWKS, and for instances that have the rest of the list', (t) => {
  const list = [
    { fingerprint: 'next', knownAtMs: NOW_MS - keyWaitMs('tokens') },
    { fingerprint: 'old', knownAtMs: 0 },
  ]
  const [next = { fingerprint: '', knownAtMs: 0 }] = list
  const waits = (others: KeyHolder[], key = next, purpose = 'tokens'): boolean =>
    mustWait(key, purpose, { list, others, nowMs: NOW_MS })
  t.same([keyWaitMs('tokens'), keyWaitMs('codes')], [7 * MINUTE_MS, 2 * MINUTE_MS])
  t.notOk(waits([]))
  t.ok(waits([], { ...next, knownAtMs: next.knownAtMs + 1 }), 'a moment too early')
  t.notOk(waits([holder({ next: 0, old: 0 }, 'old')]))
  t.ok(waits([holder({ old: 0 }, 'old')]), 'another instance has not read it')
  t.notOk(waits([holder({ old: 0 }, 'old', false)]), 'that instance has stopped')
  t.notOk(waits([holder({ strange: 0 }, 'strange')]), 'that instance has another key file, and would never read it')
  t.end()
})

void t.test('instances differ if one rejects what the other signs, or soon will', (t) => {
  const isDifferent = (one: HeldKeys, other: KeyHolder): boolean => {
    const found = findMismatches(one, [other], NOW_MS).length === 1
    t.equal(findMismatches(other, [{ ...other, ...one }], NOW_MS).length === 1, found, 'both sides report it')
    return found
  }
  const old = holder({ old: 0 }, 'old')
  const justRotated = holder({ next: NOW_MS - 2 * MINUTE_MS + 1, old: 0 }, 'old')
  const rotated = holder({ next: NOW_MS - 2 * MINUTE_MS, old: 0 }, 'old')
  t.notOk(isDifferent(old, old))
  t.notOk(isDifferent(justRotated, old), 'a rotation in progress')
  t.ok(isDifferent(rotated, old), 'one did not read the file in time')
  t.ok(isDifferent(holder({ next: NOW_MS, old: 0 }, 'next'), old), 'the new key is used already')
  t.ok(isDifferent(holder({ strange: NOW_MS }, 'strange'), old), 'another key file')
  t.notOk(isDifferent(holder({ next: 0, old: 0 }, 'next'), holder({ next: 0 }, 'next')), 'a retired key was removed')
  t.notOk(isDifferent(rotated, { ...old, keys: {}, used: {} }), 'another version has no keys of this purpose')
  t.end()
})
