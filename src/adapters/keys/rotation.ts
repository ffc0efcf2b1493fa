import { LIMITS } from '../../../generated/limits.ts'
import type { ByPurpose, DatedKey } from '../../domain/key-agreement.ts'
import { MAIL_DAYS_MAX } from '../../domain/mail.ts'
import { newKey } from './new-keys.ts'
import { algorithmOf, type Algorithm, type Jwk, type KeyFile, type KeyKind } from './key-file-schema.ts'

/** The result of rotating the keys of one kind; keys are given by name */
export type Rotation = {
  file: KeyFile
  /** The key that is used from now on */
  active: string
  /** The key that was used until now; undefined for the first key of a kind */
  retired: string | undefined
  dropped: string[]
}

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const { email, files, refresh_token } = LIMITS

/** How long data made with a key of each kind can be valid */
const LIFE_MS: Record<KeyKind, number> = {
  tokens: DAY_MS, // the maximum of ACCESS_TOKEN_TTL
  codes: Math.max(MAIL_DAYS_MAX, email.undo_days) * DAY_MS, // they seal e-mails, and hash codes that undo changes
  links: files.link_minutes * MINUTE_MS,
  refresh_tokens: refresh_token.session_days * DAY_MS,
  audit_seals: Infinity, // seals have no expiry
  factors: Infinity, // neither have the secrets of authenticator apps
}

/** Instances may use the retired key for this time, until all of them know the new one. */
const RESTART_MS = DAY_MS

/** Returns how many days a retired key of a kind is retained, rounded up. */
export function retentionDays(kind: KeyKind): number {
  return Math.ceil((LIFE_MS[kind] + RESTART_MS) / DAY_MS)
}

/**
 * Replaces the key of a kind with the prepared one, or with a new one. The previous key still verifies, and so does
 * every key with data that may be valid. A key without a retirement date is retired now.
 *
 * @param algorithm of a new key of access tokens; that of the key which is used, if undefined
 * @returns undefined if the number of keys would exceed the limit
 */
export function rotateKey(file: KeyFile, kind: KeyKind, nowMs: number, algorithm?: Algorithm): Rotation | undefined {
  const [before, ...others]: Jwk[] = file[kind]
  if (!before) {
    const key = newKey(kind, nowMs)
    return { file: { ...file, [kind]: [key] }, active: key.kid, retired: undefined, dropped: [] }
  }
  const chosen = findPreparedKey(file, kind)
  const { prepared: _, retired: __, ...active } = chosen ?? nextKey(file, kind, nowMs, algorithm)
  const now = new Date(nowMs).toISOString()
  const { prepared: ___, ...last } = before
  const old = [
    { ...last, retired: now },
    ...others.filter((key) => key !== chosen).map((key) => (key.prepared ? key : { retired: now, ...key })),
  ]
  const isExpired = ({ retired }: Jwk): boolean =>
    retired !== undefined && Date.parse(retired) < nowMs - LIFE_MS[kind] - RESTART_MS
  const kept = old.filter((key) => !isExpired(key))
  if (kept.length >= LIMITS.keys.max) return undefined
  return {
    file: { ...file, [kind]: [active, ...kept] },
    active: active.kid,
    retired: before.kid,
    dropped: old.filter(isExpired).map(({ kid }) => kid),
  }
}

function nextKey(file: KeyFile, kind: KeyKind, nowMs: number, algorithm?: Algorithm): Jwk {
  const [used] = file.tokens
  return newKey(kind, nowMs, algorithm ?? (used && algorithmOf(used)))
}

/**
 * Adds a new key of a kind, like `rotateKey`, that only verifies, so that all instances know it before it is used.
 *
 * @returns undefined if the number of keys would exceed the limit
 */
export function addPreparedKey(
  file: KeyFile,
  kind: KeyKind,
  nowMs: number,
  algorithm?: Algorithm,
): { file: KeyFile; kid: string } | undefined {
  const keys: Jwk[] = file[kind]
  if (keys.length >= LIMITS.keys.max) return undefined
  const key = { ...nextKey(file, kind, nowMs, algorithm), prepared: new Date(nowMs).toISOString() }
  return { file: { ...file, [kind]: [...keys, key] }, kid: key.kid }
}

export function findPreparedKey(file: KeyFile, kind: KeyKind): Jwk | undefined {
  const [, ...others]: Jwk[] = file[kind]
  return others.find(({ prepared }) => prepared !== undefined)
}

/**
 * Returns a key file in which a new key only verifies at first: the previous key of its list is in front of it. Without a
 * key that can be used instead, the new one is used at once.
 *
 * @param dated the keys of the file, in the same order
 * @param mustWait whether other instances or clients may not know a key yet
 */
export function withWaitingKeys(
  file: KeyFile,
  dated: ByPurpose<readonly DatedKey[]>,
  { mustWait, nowMs }: { mustWait(key: DatedKey, purpose: string): boolean; nowMs: number },
): KeyFile {
  const order = (keys: readonly Jwk[], purpose: string): readonly Jwk[] => {
    const waits = (at: number, isOld = false): boolean => {
      const key = dated[purpose]?.[at]
      return key !== undefined && mustWait(isOld ? { ...key, knownAtMs: 0 } : key, purpose)
    }
    if (!waits(0)) return keys
    const usable = (isWaiting: (key: Jwk, at: number) => boolean): Jwk | undefined =>
      keys.find((key, at) => canSign(key, nowMs) && !isWaiting(key, at))
    // A database that has not seen the keys before dates all of them now. One that is retired was used.
    const previous = usable((_, at) => waits(at)) ?? usable(({ retired }, at) => waits(at, retired !== undefined))
    return previous ? [previous, ...keys.filter((key) => key !== previous)] : keys
  }
  const entries = Object.entries(file).map(([purpose, keys]) => [purpose, order(keys, purpose)])
  return Object.fromEntries(entries) as KeyFile // the same lists in another order
}

/** A key that was retired earlier may be removed before what it signs now expires. A prepared one is not used yet. */
function canSign({ prepared, retired }: Jwk, nowMs: number): boolean {
  return prepared === undefined && (retired === undefined || nowMs - Date.parse(retired) < RESTART_MS)
}
