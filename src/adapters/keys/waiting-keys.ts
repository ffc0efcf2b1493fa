import type { ByPurpose, DatedKey } from '../../domain/key-agreement.ts'
import type { KeyFile, PrivateJwk, SecretJwk } from './key-file-schema.ts'
import { RESTART_MS } from './rotation.ts'

type Key = PrivateJwk | SecretJwk

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
  const order = <Each extends Key>(keys: Each[], purpose: string): Each[] => {
    const waits = (at: number, isOld = false): boolean => {
      const key = dated[purpose]?.[at]
      return key !== undefined && mustWait(isOld ? { ...key, knownAtMs: 0 } : key, purpose)
    }
    if (!waits(0)) return keys
    const usable = (isWaiting: (key: Key, at: number) => boolean): Each | undefined =>
      keys.find((key, at) => canSign(key, nowMs) && !isWaiting(key, at))
    // A database that has not seen the keys before dates all of them now. One that is retired was used.
    const previous = usable((_, at) => waits(at)) ?? usable(({ retired }, at) => waits(at, retired !== undefined))
    return previous ? [previous, ...keys.filter((key) => key !== previous)] : keys
  }
  return {
    tokens: order(file.tokens, 'tokens'),
    codes: order(file.codes, 'codes'),
    links: order(file.links, 'links'),
    refresh_tokens: order(file.refresh_tokens, 'refresh_tokens'),
    audit_seals: order(file.audit_seals, 'audit_seals'),
    factors: order(file.factors, 'factors'),
  }
}

/** A key that was retired earlier may be removed before what it signs now expires. A prepared one is not used yet. */
function canSign({ prepared, retired }: Key, nowMs: number): boolean {
  return prepared === undefined && (retired === undefined || nowMs - Date.parse(retired) < RESTART_MS)
}
