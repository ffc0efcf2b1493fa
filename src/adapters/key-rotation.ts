import { LIMITS } from '../../generated/limits.ts'
import { newTokenKey, type KeyFile, type PrivateJwk } from './keys.ts'

/** What a rotation made of the token keys, by their names */
export type Rotation = {
  file: KeyFile
  /** The key that signs now, and since when it was prepared, if it was */
  signing: string
  preparedAt: string | undefined
  /** The key that has signed until now */
  retired: string
  /** Keys that are no longer there */
  dropped: string[]
}

/** A key that has signed is kept for the longest life of a token, and a day in which the instances are restarted. */
const KEPT_MS = 2 * 86_400_000

/**
 * Another key signs: the one that was prepared, or a new one. The one that has signed until now still verifies, and so do
 * those of which tokens may be alive. Where nobody has written down since when a key does not sign, that is now.
 *
 * @returns undefined when there would be more keys than there may be
 */
export function rotated({ tokens, ...rest }: KeyFile, nowMs: number): Rotation | undefined {
  const [before, ...others] = tokens
  if (!before) throw new Error('a key file without a key was not refused')
  const chosen = others.find(({ prepared }) => prepared !== undefined)
  const { prepared: preparedAt, retired: _, ...signing } = chosen ?? newTokenKey(nowMs)
  const now = new Date(nowMs).toISOString()
  const { prepared: __, ...last } = before
  const old = [
    { ...last, retired: now },
    ...others.filter((key) => key !== chosen).map((key) => (key.prepared ? key : { retired: now, ...key })),
  ]
  const kept = old.filter((key) => !isOver(key, nowMs))
  if (kept.length >= LIMITS.keys.max) return undefined
  return {
    file: { ...rest, tokens: [signing, ...kept] },
    signing: signing.kid,
    preparedAt,
    retired: before.kid,
    dropped: old.filter((key) => isOver(key, nowMs)).map(({ kid }) => kid),
  }
}

/**
 * A new key that verifies, to be known everywhere before it signs.
 *
 * @returns undefined when there would be more keys than there may be
 */
export function withPrepared({ tokens, ...rest }: KeyFile, nowMs: number): { file: KeyFile; kid: string } | undefined {
  if (tokens.length >= LIMITS.keys.max) return undefined
  const key = { ...newTokenKey(nowMs), prepared: new Date(nowMs).toISOString() }
  return { file: { ...rest, tokens: [...tokens, key] }, kid: key.kid }
}

/** The key that was prepared, if one was */
export function preparedIn({ tokens }: KeyFile): PrivateJwk | undefined {
  return tokens.slice(1).find(({ prepared }) => prepared !== undefined)
}

function isOver({ retired }: PrivateJwk, nowMs: number): boolean {
  return retired !== undefined && Date.parse(retired) < nowMs - KEPT_MS
}
