import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { linesOf, textOfSeal, type AuditSeal, type SealedEvent, type SealedRange } from '../domain/audit-seal.ts'
import type { SealKey } from './keys.ts'

/** Makes and verifies the seals of the audit trail. */
export type Seals = {
  /** The hash over the events of a range and the hash of the seal before, so that each seal covers all before it. */
  hashOf(previousHash: string, events: readonly SealedEvent[]): string
  /** Undefined where there is no key to sign with. */
  sign: ((range: SealedRange) => AuditSeal) | undefined
  /** `unknown_key`: the key that signed it is not in the key file. */
  verify(seal: AuditSeal): 'good' | 'bad' | 'unknown_key'
}

/** HMAC-SHA-256: only a process that has the keys can make a seal or verify one. */
export function hmacSeals(keys: readonly SealKey[]): Seals {
  const [signing] = keys
  const signatureOf = ({ secret }: SealKey, seal: SealedRange & { keyId: string }): Buffer =>
    createHmac('sha256', secret).update(textOfSeal(seal)).digest()
  return {
    hashOf: (previousHash, events) =>
      createHash('sha256').update(previousHash).update('\n').update(linesOf(events)).digest('hex'),
    sign:
      signing &&
      ((range) => {
        const seal = { ...range, keyId: signing.kid }
        return { ...seal, signature: signatureOf(signing, seal).toString('hex') }
      }),
    verify(seal) {
      const key = keys.find(({ kid }) => kid === seal.keyId)
      if (!key) return 'unknown_key'
      const given = Buffer.from(seal.signature, 'hex')
      const right = signatureOf(key, seal)
      return given.length === right.length && timingSafeEqual(given, right) ? 'good' : 'bad'
    },
  }
}
