import { createHash, createHmac } from 'node:crypto'
import { toLines, sealText, type AuditSeal, type SealedEvent, type SealedRange } from '../../domain/audit/audit-seal.ts'
import type { SealKey } from './index.ts'
import { isSame } from './keyed-hash.ts'

/** Signs and verifies the seals of the audit trail. */
export type Seals = {
  /** Hashes the events of a range with the hash of the previous seal, so that a seal covers all earlier ones. */
  hash(previousHash: string, events: readonly SealedEvent[]): string
  /** Undefined if there is no key */
  sign: ((range: SealedRange) => AuditSeal) | undefined
  verify(seal: AuditSeal): 'good' | 'bad' | 'unknown_key'
}

/** Seals are signed with HMAC-SHA-256, so only a process with the keys can make or verify one. */
export function hmacSeals(keys: readonly SealKey[]): Seals {
  const [signing] = keys
  const computeSignature = ({ secret }: SealKey, seal: SealedRange & { keyId: string }): string =>
    createHmac('sha256', secret).update(sealText(seal)).digest('hex')
  return {
    hash: (previousHash, events) =>
      createHash('sha256').update(previousHash).update('\n').update(toLines(events)).digest('hex'),
    sign:
      signing &&
      ((range) => {
        const seal = { ...range, keyId: signing.kid }
        return { ...seal, signature: computeSignature(signing, seal) }
      }),
    verify(seal) {
      const key = keys.find(({ kid }) => kid === seal.keyId)
      if (!key) return 'unknown_key'
      return isSame(seal.signature, computeSignature(key, seal)) ? 'good' : 'bad'
    },
  }
}
