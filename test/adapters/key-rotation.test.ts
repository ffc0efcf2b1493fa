// Which key signs next, and which ones stay.
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { preparedIn, rotated, withPrepared, type Rotation } from '../../src/adapters/key-rotation.ts'
import { newKeys, newTokenKey, parseKeyFile, parseKeys, textOf, type KeyFile } from '../../src/adapters/keys.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function keyFile(): KeyFile {
  return parseKeyFile(newKeys(), 'test')
}

function turned(file: KeyFile, nowMs = NOW_MS): Rotation {
  const rotation = rotated(file, nowMs)
  if (!rotation) throw new Error('there are too many keys')
  parseKeys(textOf(rotation.file), 'what became of it')
  return rotation
}

function prepared(file: KeyFile, nowMs = NOW_MS): KeyFile {
  const preparation = withPrepared(file, nowMs)
  if (!preparation) throw new Error('there are too many keys')
  parseKeys(textOf(preparation.file), 'what became of it')
  return preparation.file
}

function kidsOf({ tokens }: KeyFile): string[] {
  return tokens.map(({ kid }) => kid)
}

void t.test('a new key signs, the last one verifies, and all else stays', (t) => {
  const before = keyFile()
  const { file, signing, retired, dropped, preparedAt } = turned(before)
  const [old] = before.tokens
  t.match(signing, /^k-2026-03-01-[0-9a-f]{8}$/)
  t.same(kidsOf(file), [signing, retired])
  t.same(file.tokens[1], { ...old, retired: '2026-03-01T12:00:00.000Z' })
  t.equal(file.otp, before.otp)
  t.same([dropped, preparedAt], [[], undefined])
  t.end()
})

void t.test('a key goes when all that it has signed has expired, and not before', (t) => {
  const first = turned(keyFile())
  const soon = turned(first.file, NOW_MS + 47 * HOUR_MS)
  t.same(kidsOf(soon.file), [soon.signing, soon.retired, first.retired])
  const late = turned(first.file, NOW_MS + 49 * HOUR_MS)
  t.same(kidsOf(late.file), [late.signing, late.retired])
  t.same(late.dropped, [first.retired])
  t.end()
})

void t.test('a prepared key signs next', (t) => {
  const before = keyFile()
  t.equal(preparedIn(before), undefined)
  const ready = prepared(before)
  const key = preparedIn(ready)
  t.same(kidsOf(ready), [...kidsOf(before), key?.kid], 'it is the last one')
  const { file, signing, preparedAt } = turned(ready, NOW_MS + 30 * DAY_MS)
  t.equal(signing, key?.kid)
  t.equal(preparedAt, '2026-03-01T12:00:00.000Z')
  t.equal(preparedIn(file), undefined)
  t.notOk('prepared' in (file.tokens[0] ?? {}))
  t.end()
})

void t.test('a file of old, where nobody has written down when', (t) => {
  const [own, other] = [keyFile(), keyFile()]
  const byHand = { ...own, tokens: [...own.tokens, ...other.tokens] }
  const { file, signing } = turned(byHand)
  t.same(kidsOf(file), [signing, ...kidsOf(byHand)], 'tokens of either may be alive')
  const { file: later } = turned(file, NOW_MS + 3 * DAY_MS)
  t.equal(later.tokens.length, 2)
  t.end()
})

void t.test('a rotation that was taken back by hand', (t) => {
  const { file, signing, retired } = turned(keyFile())
  const back = { ...file, tokens: [...file.tokens].reverse() }
  const again = turned(back, NOW_MS + 3 * DAY_MS)
  t.same(kidsOf(again.file), [again.signing, retired, signing], 'both have signed until now')
  t.end()
})

void t.test('as many keys as there may be', (t) => {
  const own = keyFile()
  const tokens = Array.from({ length: LIMITS.keys.max }, () => newTokenKey(NOW_MS))
  t.equal(rotated({ ...own, tokens }, NOW_MS), undefined)
  t.equal(withPrepared({ ...own, tokens }, NOW_MS), undefined)
  const almost = prepared({ ...own, tokens: tokens.slice(1) })
  t.equal(turned(almost).file.tokens.length, LIMITS.keys.max)
  t.end()
})
