// Whether the instances of the service agree on their keys. Keys are compared by fingerprints, which reveal nothing.
import { LIMITS } from '../../generated/limits.ts'

/** The lists of something by the purpose of the keys, as in the key file */
export type ByPurpose<Value> = Readonly<Record<string, Value>>

/** A key, and the time when the database learned of it; 0 for one that was used already */
export type DatedKey = Readonly<{ fingerprint: string; knownAtMs: number }>

/** The keys of an instance in the order of its key file: the first one is to be used */
export type HeldKeys = Readonly<{
  keys: ByPurpose<readonly DatedKey[]>
  /** The fingerprint of the key that signs. It is not the first one while that has to wait. */
  used: ByPurpose<string>
}>

/** A process that uses the database, or did so last week */
export type KeyHolder = HeldKeys & Readonly<{ id: string; name: string; isRunning: boolean }>

const DISTRIBUTION_MS = LIMITS.keys.distribution_seconds * 1000

/** Clients may have stored the public keys of access tokens. All other keys are known only to instances. */
const STORED_MS: ByPurpose<number> = { tokens: LIMITS.keys.jwks_cache_seconds * 1000 }

/** Returns the time after which every instance has read a new key, and no client has a stored JWKS without it. */
export function keyWaitMs(purpose: string): number {
  return DISTRIBUTION_MS + (STORED_MS[purpose] ?? 0)
}

/**
 * Adds to each key the time when the database learned of it, which is now if no holder has it. A key that was used already
 * has none, because it need not wait again.
 */
export function dateKeys(
  fingerprints: ByPurpose<readonly string[]>,
  holders: readonly HeldKeys[],
  nowMs: number,
): ByPurpose<DatedKey[]> {
  const dated = Object.entries(fingerprints).map(([purpose, list]) => {
    const known = holders.flatMap(({ keys }) => keys[purpose] ?? [])
    const used = new Set(holders.map((holder) => holder.used[purpose]))
    const dateOf = (fingerprint: string): number => {
      if (used.has(fingerprint)) return 0
      const dates = known.filter((key) => key.fingerprint === fingerprint).map(({ knownAtMs }) => knownAtMs)
      return Math.min(nowMs, ...dates)
    }
    return [purpose, list.map((fingerprint) => ({ fingerprint, knownAtMs: dateOf(fingerprint) }))] as const
  })
  return Object.fromEntries(dated)
}

/**
 * Returns whether a key must not sign yet: clients may have stored a JWKS without it, or another instance has not read it,
 * although it has the rest of the list.
 */
export function mustWait(
  { fingerprint, knownAtMs }: DatedKey,
  purpose: string,
  { list, others, nowMs }: { list: readonly DatedKey[]; others: readonly KeyHolder[]; nowMs: number },
): boolean {
  if (nowMs - knownAtMs < keyWaitMs(purpose)) return true
  return others.some((other) => {
    const known = fingerprintsIn(other, purpose)
    return other.isRunning && !known.has(fingerprint) && list.some((key) => known.has(key.fingerprint))
  })
}

/**
 * Returns the holders with whom something that one side signs is invalid on the other side: now, or as soon as the first
 * key of the file is used. A new key counts when there was enough time to read it.
 */
export function findMismatches<Holder extends HeldKeys>(
  own: HeldKeys,
  others: readonly Holder[],
  nowMs: number,
): Holder[] {
  return others.filter((other) => lacksKeyOf(own, other, nowMs) || lacksKeyOf(other, own, nowMs))
}

function lacksKeyOf(signer: HeldKeys, verifier: HeldKeys, nowMs: number): boolean {
  return Object.entries(signer.keys).some(([purpose, [first]]) => {
    const known = fingerprintsIn(verifier, purpose)
    const used = signer.used[purpose]
    const isDue = first !== undefined && nowMs - first.knownAtMs >= DISTRIBUTION_MS
    const needed = [...(used === undefined ? [] : [used]), ...(isDue ? [first.fingerprint] : [])]
    return known.size > 0 && needed.some((fingerprint) => !known.has(fingerprint))
  })
}

function fingerprintsIn({ keys }: HeldKeys, purpose: string): ReadonlySet<string> {
  return new Set(keys[purpose]?.map(({ fingerprint }) => fingerprint))
}
