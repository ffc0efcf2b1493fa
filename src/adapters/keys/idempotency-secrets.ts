import type { RequestIdentity } from '../../domain/idempotency.ts'
import type { Secrets } from './index.ts'
import { keyedHash } from './keyed-hash.ts'
import { aesSeal, type Seal } from './seal.ts'

/** The parts of a request with an Idempotency-Key: the operation and its caller, the key, and the content */
type IdentifiedRequest = Readonly<{ scope: string; key: string; content: string }>

/** Hashes keys and contents of requests, and encrypts stored results. */
export type IdempotencySecrets = Seal<unknown> & {
  /** Returns the identity of a request for each secret. The first is stored, and the others find older rows. */
  identify(request: IdentifiedRequest): [RequestIdentity, ...RequestIdentity[]]
}

const LABEL = 'tawthiq results of requests, version 1'

/**
 * The content is hashed together with the key, which has at least 122 random bits and is not stored. So a copy of the
 * database does not allow to guess passwords or phone numbers in contents, even together with the secrets.
 */
export function idempotencySecrets(secrets: Secrets): IdempotencySecrets {
  const [first, ...others] = secrets
  const identifyBy = (secret: Uint8Array): ((request: IdentifiedRequest) => RequestIdentity) => {
    const hash = keyedHash([secret], 'idempotency keys')
    return ({ scope, key, content }) => ({
      id: hash(JSON.stringify(['id', scope, key])),
      fingerprint: hash(JSON.stringify(['content', scope, key, content])),
    })
  }
  const [identifyFirst, identifyOthers] = [identifyBy(first), others.map(identifyBy)]
  return {
    ...aesSeal(secrets, LABEL),
    identify: (request) => [identifyFirst(request), ...identifyOthers.map((identify) => identify(request))],
  }
}
