// Which key of a kind is used next, and which ones stay.
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { daysKept, preparedIn, rotated, withPrepared, type Rotation } from '../../src/adapters/key-rotation.ts'
import { newKeys, parseKeyFile, parseKeys, textOf } from '../../src/adapters/keys.ts'
import { newKey } from '../../src/adapters/keys/new.ts'
import type { KeyFile, KeyKind } from '../../src/adapters/keys/shape.ts'
import { KEY_KINDS, kidsOf } from '../support/key-files.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

function keyFile(): KeyFile {
  return parseKeyFile(newKeys(), 'test')
}

function turned(file: KeyFile, kind: KeyKind, nowMs = NOW_MS): Rotation {
  const rotation = rotated(file, kind, nowMs)
  if (!rotation) throw new Error('there are too many keys')
  parseKeys(textOf(rotation.file), 'what became of it')
  return rotation
}

function prepared(file: KeyFile, kind: KeyKind, nowMs = NOW_MS): KeyFile {
  const preparation = withPrepared(file, kind, nowMs)
  if (!preparation) throw new Error('there are too many keys')
  parseKeys(textOf(preparation.file), 'what became of it')
  return preparation.file
}

/** Keys that are removed when what they have made has expired */
type Expiring = (typeof KEY_KINDS)[number]

/** How long a key is kept after it was retired: as long as what it made can be valid, and a day for the restarts */
const KEPT_MS: Record<Expiring, number> = {
  tokens: 2 * DAY_MS,
  codes: DAY_MS + 20 * MINUTE_MS,
  links: DAY_MS + 15 * MINUTE_MS,
  refresh_tokens: 91 * DAY_MS,
}
const NAMES: Record<Expiring, RegExp> = {
  tokens: /^k-2026-03-01-[0-9a-f]{8}$/,
  codes: /^codes-2026-03-01-[0-9a-f]{8}$/,
  links: /^links-2026-03-01-[0-9a-f]{8}$/,
  refresh_tokens: /^refresh-tokens-2026-03-01-[0-9a-f]{8}$/,
}

for (const kind of KEY_KINDS) {
  void t.test(`${kind}: a new key is used, the last one verifies, and the other kinds stay`, (t) => {
    const before = keyFile()
    const { file, active, retired, dropped, preparedAt } = turned(before, kind)
    const [old] = before[kind]
    t.match(active, NAMES[kind])
    t.same(kidsOf(file, kind), [active, retired])
    t.same(file[kind][1], { ...old, retired: '2026-03-01T12:00:00.000Z' })
    for (const other of KEY_KINDS.filter((each) => each !== kind)) t.same(file[other], before[other])
    t.same([dropped, preparedAt], [[], undefined])
    t.end()
  })

  void t.test(`${kind}: a key goes when all that it has made has expired, and not before`, (t) => {
    const first = turned(keyFile(), kind)
    const soon = turned(first.file, kind, NOW_MS + KEPT_MS[kind] - MINUTE_MS)
    t.same(kidsOf(soon.file, kind), [soon.active, soon.retired, first.retired])
    const late = turned(first.file, kind, NOW_MS + KEPT_MS[kind] + MINUTE_MS)
    t.same(kidsOf(late.file, kind), [late.active, late.retired])
    t.same(late.dropped, [first.retired])
    t.equal(daysKept(kind), Math.ceil(KEPT_MS[kind] / DAY_MS))
    t.end()
  })

  void t.test(`${kind}: a prepared key is used next`, (t) => {
    const before = keyFile()
    t.equal(preparedIn(before, kind), undefined)
    const ready = prepared(before, kind)
    const key = preparedIn(ready, kind)
    t.same(kidsOf(ready, kind), [...kidsOf(before, kind), key?.kid], 'it is the last one')
    for (const other of KEY_KINDS.filter((each) => each !== kind)) t.equal(preparedIn(ready, other), undefined)
    const { file, active, preparedAt } = turned(ready, kind, NOW_MS + 30 * DAY_MS)
    t.equal(active, key?.kid)
    t.equal(preparedAt, '2026-03-01T12:00:00.000Z')
    t.equal(preparedIn(file, kind), undefined)
    t.notOk('prepared' in (file[kind][0] ?? {}))
    t.end()
  })

  void t.test(`${kind}: a rotation that was taken back by hand`, (t) => {
    const { file, active, retired } = turned(keyFile(), kind)
    const back = { ...file, [kind]: [...file[kind]].reverse() }
    const again = turned(back, kind, NOW_MS + 100 * DAY_MS)
    t.same(kidsOf(again.file, kind), [again.active, retired, active], 'both were in use until now')
    t.end()
  })

  void t.test(`${kind}: as many keys as there may be`, (t) => {
    const own = keyFile()
    const keys = Array.from({ length: LIMITS.keys.max }, () => newKey(kind, NOW_MS))
    t.equal(rotated({ ...own, [kind]: keys }, kind, NOW_MS), undefined)
    t.equal(withPrepared({ ...own, [kind]: keys }, kind, NOW_MS), undefined)
    const almost = prepared({ ...own, [kind]: keys.slice(1) }, kind)
    t.equal(turned(almost, kind).file[kind].length, LIMITS.keys.max)
    t.end()
  })
}

void t.test('audit_seals: a file without the list gets its first key, and no key is ever removed', (t) => {
  const { audit_seals: _, ...older } = keyFile()
  const file = parseKeyFile(JSON.stringify(older), 'test')
  t.same(file.audit_seals, [])
  t.same(parseKeys(JSON.stringify(older), 'test').auditSeals, [])
  const first = turned(file, 'audit_seals')
  t.same([first.retired, kidsOf(first.file, 'audit_seals')], [undefined, [first.active]])
  t.match(first.active, /^audit-seals-2026-03-01-[0-9a-f]{8}$/)
  const second = turned(first.file, 'audit_seals', NOW_MS + DAY_MS)
  const third = turned(second.file, 'audit_seals', NOW_MS + 3650 * DAY_MS)
  t.same(kidsOf(third.file, 'audit_seals'), [third.active, second.active, first.active])
  t.same(
    parseKeys(textOf(third.file), 'test').auditSeals.map(({ kid }) => kid),
    kidsOf(third.file, 'audit_seals'),
  )
  t.end()
})

void t.test('a file in which nobody has written down when', (t) => {
  const [own, other] = [keyFile(), keyFile()]
  const byHand = { ...own, tokens: [...own.tokens, ...other.tokens] }
  const { file, active } = turned(byHand, 'tokens')
  t.same(kidsOf(file, 'tokens'), [active, ...kidsOf(byHand, 'tokens')], 'tokens of either may be alive')
  const { file: later } = turned(file, 'tokens', NOW_MS + 3 * DAY_MS)
  t.equal(later.tokens.length, 2)
  t.end()
})
