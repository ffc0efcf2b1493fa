import { LIMITS } from '../../generated/limits.ts'
import { newKey } from './keys/new.ts'
import type { KeyFile, KeyKind, PrivateJwk, SecretJwk } from './keys/shape.ts'

/** What a rotation made of the keys of one kind, by their names */
export type Rotation = {
  file: KeyFile
  /** The key that is used now, and since when it was prepared, if it was */
  active: string
  preparedAt: string | undefined
  /** The key that was used until now; undefined for the first key of a kind that a file does not have yet */
  retired: string | undefined
  /** Keys that are no longer there */
  dropped: string[]
}

type Key = PrivateJwk | SecretJwk

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const { otp, files, refresh_token } = LIMITS

/** How long something that was made with a key of a kind can be valid */
const LIFE_MS: Record<KeyKind, number> = {
  tokens: DAY_MS, // as much as ACCESS_TOKEN_TTL takes
  codes: (2 * otp.confirm_minutes + otp.use_minutes) * MINUTE_MS, // a resend prolongs a code once
  links: files.link_minutes * MINUTE_MS,
  refresh_tokens: refresh_token.session_days * DAY_MS,
  audit_seals: Infinity, // seals are verified for as long as there are seals
}

/** In which the instances are restarted: until then they use the key that was retired */
const RESTART_MS = DAY_MS

/** How many days a retired key of a kind is kept, rounded up */
export function daysKept(kind: KeyKind): number {
  return Math.ceil((LIFE_MS[kind] + RESTART_MS) / DAY_MS)
}

/**
 * Replaces the key of a kind that is used: by the one that was prepared, or by a new one. The one that was used until now
 * still verifies, and so do those of which something may be valid. Where nobody has written down since when a key is not
 * used, that is now.
 *
 * @returns undefined when there would be more keys than there may be
 */
export function rotated(file: KeyFile, kind: KeyKind, nowMs: number): Rotation | undefined {
  const [before, ...others]: Key[] = file[kind]
  if (!before) return first(file, kind, nowMs)
  const chosen = others.find(({ prepared }) => prepared !== undefined)
  const { prepared: preparedAt, retired: _, ...active } = chosen ?? newKey(kind, nowMs)
  const now = new Date(nowMs).toISOString()
  const { prepared: __, ...last } = before
  const old = [
    { ...last, retired: now },
    ...others.filter((key) => key !== chosen).map((key) => (key.prepared ? key : { retired: now, ...key })),
  ]
  const isOver = ({ retired }: Key): boolean =>
    retired !== undefined && Date.parse(retired) < nowMs - LIFE_MS[kind] - RESTART_MS
  const kept = old.filter((key) => !isOver(key))
  if (kept.length >= LIMITS.keys.max) return undefined
  return {
    file: { ...file, [kind]: [active, ...kept] },
    active: active.kid,
    preparedAt,
    retired: before.kid,
    dropped: old.filter(isOver).map(({ kid }) => kid),
  }
}

function first(file: KeyFile, kind: KeyKind, nowMs: number): Rotation {
  const key = newKey(kind, nowMs)
  return { file: { ...file, [kind]: [key] }, active: key.kid, preparedAt: undefined, retired: undefined, dropped: [] }
}

/**
 * Adds a new key of a kind that verifies, to be known everywhere before it is used.
 *
 * @returns undefined when there would be more keys than there may be
 */
export function withPrepared(file: KeyFile, kind: KeyKind, nowMs: number): { file: KeyFile; kid: string } | undefined {
  const keys: Key[] = file[kind]
  if (keys.length >= LIMITS.keys.max) return undefined
  const key = { ...newKey(kind, nowMs), prepared: new Date(nowMs).toISOString() }
  return { file: { ...file, [kind]: [...keys, key] }, kid: key.kid }
}

/** The key of a kind that was prepared, if one was */
export function preparedIn(file: KeyFile, kind: KeyKind): Key | undefined {
  const [, ...others]: Key[] = file[kind]
  return others.find(({ prepared }) => prepared !== undefined)
}
