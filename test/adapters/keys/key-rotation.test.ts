// Which key of a kind is used next, and which keys are retained.
import t from 'tap'
import { LIMITS } from '../../../generated/limits.ts'
import {
  retentionDays,
  findPreparedKey,
  rotateKey,
  addPreparedKey,
  type Rotation,
} from '../../../src/adapters/keys/rotation.ts'
import { newKeys, parseKeyFile, parseKeys, serializeKeyFile } from '../../../src/adapters/keys/index.ts'
import { newKey } from '../../../src/adapters/keys/new-keys.ts'
import { algorithmOf, type KeyFile, type KeyKind } from '../../../src/adapters/keys/key-file-schema.ts'
import { withWaitingKeys } from '../../../src/adapters/keys/rotation.ts'
import type { DatedKey } from '../../../src/domain/key-agreement.ts'
import { KEY_KINDS, kidsOf } from '../../support/processes/key-files.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

function keyFile(): KeyFile {
  return parseKeyFile(newKeys(), 'test')
}

function turned(file: KeyFile, kind: KeyKind, nowMs = NOW_MS): Rotation {
  const rotation = rotateKey(file, kind, nowMs)
  if (!rotation) throw new Error('there are too many keys')
  parseKeys(serializeKeyFile(rotation.file), 'what became of it')
  return rotation
}

function prepared(file: KeyFile, kind: KeyKind, nowMs = NOW_MS): KeyFile {
  const preparation = addPreparedKey(file, kind, nowMs)
  if (!preparation) throw new Error('there are too many keys')
  parseKeys(serializeKeyFile(preparation.file), 'what became of it')
  return preparation.file
}

/** Keys that are removed after everything that was made with them has expired */
type Expiring = (typeof KEY_KINDS)[number]

/** How long a retired key is retained: the lifetime of what was made with it, and a day for restarts */
const RETENTION_MS: Record<Expiring, number> = {
  tokens: 2 * DAY_MS,
  codes: 8 * DAY_MS,
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
  void t.test(
    `${kind}: uses a new key, retains the last one for verification, and leaves other kinds unchanged`,
    (t) => {
      const before = keyFile()
      const { file, active, retired, dropped } = turned(before, kind)
      const [old] = before[kind]
      t.match(active, NAMES[kind])
      t.same(kidsOf(file, kind), [active, retired])
      t.same(file[kind][1], { ...old, retired: '2026-03-01T12:00:00.000Z' })
      for (const other of KEY_KINDS.filter((each) => each !== kind)) t.same(file[other], before[other])
      t.same(dropped, [])
      t.end()
    },
  )

  void t.test(`${kind}: removes a key once everything that was made with it has expired, and not before`, (t) => {
    const first = turned(keyFile(), kind)
    const soon = turned(first.file, kind, NOW_MS + RETENTION_MS[kind] - MINUTE_MS)
    t.same(kidsOf(soon.file, kind), [soon.active, soon.retired, first.retired])
    const late = turned(first.file, kind, NOW_MS + RETENTION_MS[kind] + MINUTE_MS)
    t.same(kidsOf(late.file, kind), [late.active, late.retired])
    t.same(late.dropped, [first.retired])
    t.equal(retentionDays(kind), Math.ceil(RETENTION_MS[kind] / DAY_MS))
    t.end()
  })

  void t.test(`${kind}: uses a prepared key next`, (t) => {
    const before = keyFile()
    t.equal(findPreparedKey(before, kind), undefined)
    const ready = prepared(before, kind)
    const key = findPreparedKey(ready, kind)
    t.same(kidsOf(ready, kind), [...kidsOf(before, kind), key?.kid], 'the prepared key is the last one')
    for (const other of KEY_KINDS.filter((each) => each !== kind)) t.equal(findPreparedKey(ready, other), undefined)
    const { file, active } = turned(ready, kind, NOW_MS + 30 * DAY_MS)
    t.equal(active, key?.kid)
    t.equal(key?.prepared, '2026-03-01T12:00:00.000Z')
    t.equal(findPreparedKey(file, kind), undefined)
    t.notOk('prepared' in (file[kind][0] ?? {}))
    t.end()
  })

  void t.test(`${kind}: retains both keys after a rotation that was reverted by hand`, (t) => {
    const { file, active, retired } = turned(keyFile(), kind)
    const back = { ...file, [kind]: [...file[kind]].reverse() }
    const again = turned(back, kind, NOW_MS + 100 * DAY_MS)
    t.same(kidsOf(again.file, kind), [again.active, retired, active], 'both were in use until now')
    t.end()
  })

  void t.test(`${kind}: adds no key beyond the maximum number`, (t) => {
    const own = keyFile()
    const keys = Array.from({ length: LIMITS.keys.max }, () => newKey(kind, NOW_MS))
    t.equal(rotateKey({ ...own, [kind]: keys }, kind, NOW_MS), undefined)
    t.equal(addPreparedKey({ ...own, [kind]: keys }, kind, NOW_MS), undefined)
    const almost = prepared({ ...own, [kind]: keys.slice(1) }, kind)
    t.equal(turned(almost, kind).file[kind].length, LIMITS.keys.max)
    t.end()
  })
}

void t.test('adds the first audit_seals key and never removes one', (t) => {
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
    parseKeys(serializeKeyFile(third.file), 'test').auditSeals.map(({ kid }) => kid),
    kidsOf(third.file, 'audit_seals'),
  )
  t.end()
})

void t.test('keeps the algorithm of access tokens unless another one is given', (t) => {
  const algorithms = (file: KeyFile): string[] => file.tokens.map(algorithmOf)
  const first = rotateKey(keyFile(), 'tokens', NOW_MS, 'ES256')?.file ?? keyFile()
  t.same(algorithms(first), ['ES256', 'EdDSA'])
  t.same(algorithms(turned(first, 'tokens').file), ['ES256', 'ES256', 'EdDSA'])
  t.same(algorithms(prepared(first, 'tokens')), ['ES256', 'EdDSA', 'ES256'])
  const back = addPreparedKey(first, 'tokens', NOW_MS, 'EdDSA')?.file ?? first
  t.same(algorithms(back), ['ES256', 'EdDSA', 'EdDSA'])
  t.same(algorithms(turned(back, 'tokens').file), ['EdDSA', 'ES256', 'EdDSA'])
  t.end()
})

void t.test('retires keys without a date at the next rotation', (t) => {
  const [own, other] = [keyFile(), keyFile()]
  const byHand = { ...own, tokens: [...own.tokens, ...other.tokens] }
  const { file, active } = turned(byHand, 'tokens')
  t.same(kidsOf(file, 'tokens'), [active, ...kidsOf(byHand, 'tokens')], 'tokens of either key may still be valid')
  const { file: later } = turned(file, 'tokens', NOW_MS + 3 * DAY_MS)
  t.equal(later.tokens.length, 2)
  t.end()
})

void t.test('a key that was replaced before it signed is not used instead of the one that signs', (t) => {
  const first = keyFile()
  const second = turned(first, 'tokens', NOW_MS - MINUTE_MS).file
  const { file } = turned(second, 'tokens')
  const datedAt = (times: readonly number[]): { tokens: DatedKey[] } => ({
    tokens: file.tokens.map(({ kid }, at) => ({ fingerprint: kid, knownAtMs: times[at] ?? NOW_MS })),
  })
  const chosen = (times: readonly number[]): string | undefined => {
    const mustWait = ({ knownAtMs }: DatedKey): boolean => knownAtMs > NOW_MS - 7 * MINUTE_MS
    return withWaitingKeys(file, datedAt(times), { mustWait, nowMs: NOW_MS }).tokens[0]?.kid
  }
  t.equal(chosen([NOW_MS, NOW_MS - MINUTE_MS, 0]), first.tokens[0]?.kid)
  t.equal(chosen([NOW_MS, NOW_MS, NOW_MS]), second.tokens[0]?.kid, 'of keys that the database has not seen before')
  t.equal(chosen([0, 0, 0]), file.tokens[0]?.kid)
  t.end()
})
