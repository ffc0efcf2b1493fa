import { LIMITS } from '../../../generated/limits.ts'
import { MAIL_DAYS_MAX } from '../../domain/mail.ts'
import { newKey } from './new-keys.ts'
import type { KeyFile, KeyKind, PrivateJwk, SecretJwk } from './key-file-schema.ts'

/** The result of rotating the keys of one kind; keys are given by name */
export type Rotation = {
  file: KeyFile
  /** The key that is used from now on, and when it was prepared, if it was */
  active: string
  preparedAt: string | undefined
  /** The key that was used until now; undefined for the first key of a kind */
  retired: string | undefined
  /** Keys that were removed */
  dropped: string[]
}

type Key = PrivateJwk | SecretJwk

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const { otp, files, refresh_token } = LIMITS

/** How long data made with a key of each kind can be valid */
const LIFE_MS: Record<KeyKind, number> = {
  tokens: DAY_MS, // the maximum of ACCESS_TOKEN_TTL
  codes: Math.max((2 * otp.confirm_minutes + otp.use_minutes) * MINUTE_MS, MAIL_DAYS_MAX * DAY_MS), // they seal e-mails, too
  links: files.link_minutes * MINUTE_MS,
  refresh_tokens: refresh_token.session_days * DAY_MS,
  audit_seals: Infinity, // seals have no expiry
  factors: Infinity, // neither have the secrets of authenticator apps
}

/** Instances may use the retired key for this time, until all of them know the new one. */
export const RESTART_MS = DAY_MS

/** Returns how many days a retired key of a kind is retained, rounded up. */
export function retentionDays(kind: KeyKind): number {
  return Math.ceil((LIFE_MS[kind] + RESTART_MS) / DAY_MS)
}

/**
 * Replaces the key of a kind with the prepared one, or with a new one. The previous key still verifies, and so does
 * every key with data that may be valid. A key without a retirement date is retired now.
 *
 * @returns undefined if the number of keys would exceed the limit
 */
export function rotateKey(file: KeyFile, kind: KeyKind, nowMs: number): Rotation | undefined {
  const [before, ...others]: Key[] = file[kind]
  if (!before) return addFirstKey(file, kind, nowMs)
  const chosen = others.find(({ prepared }) => prepared !== undefined)
  const { prepared: preparedAt, retired: _, ...active } = chosen ?? newKey(kind, nowMs)
  const now = new Date(nowMs).toISOString()
  const { prepared: __, ...last } = before
  const old = [
    { ...last, retired: now },
    ...others.filter((key) => key !== chosen).map((key) => (key.prepared ? key : { retired: now, ...key })),
  ]
  const isExpired = ({ retired }: Key): boolean =>
    retired !== undefined && Date.parse(retired) < nowMs - LIFE_MS[kind] - RESTART_MS
  const kept = old.filter((key) => !isExpired(key))
  if (kept.length >= LIMITS.keys.max) return undefined
  return {
    file: { ...file, [kind]: [active, ...kept] },
    active: active.kid,
    preparedAt,
    retired: before.kid,
    dropped: old.filter(isExpired).map(({ kid }) => kid),
  }
}

function addFirstKey(file: KeyFile, kind: KeyKind, nowMs: number): Rotation {
  const key = newKey(kind, nowMs)
  return { file: { ...file, [kind]: [key] }, active: key.kid, preparedAt: undefined, retired: undefined, dropped: [] }
}

/**
 * Adds a new key of a kind that only verifies, so that all instances know it before it is used.
 *
 * @returns undefined if the number of keys would exceed the limit
 */
export function addPreparedKey(
  file: KeyFile,
  kind: KeyKind,
  nowMs: number,
): { file: KeyFile; kid: string } | undefined {
  const keys: Key[] = file[kind]
  if (keys.length >= LIMITS.keys.max) return undefined
  const key = { ...newKey(kind, nowMs), prepared: new Date(nowMs).toISOString() }
  return { file: { ...file, [kind]: [...keys, key] }, kid: key.kid }
}

/** Returns the prepared key of a kind, if there is one. */
export function findPreparedKey(file: KeyFile, kind: KeyKind): Key | undefined {
  const [, ...others]: Key[] = file[kind]
  return others.find(({ prepared }) => prepared !== undefined)
}
