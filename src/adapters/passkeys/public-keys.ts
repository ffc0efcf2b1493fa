import { createPublicKey, type JsonWebKey } from 'node:crypto'

/** Whether bytes are a public key that assertions can be verified with */
export type PublicKeyState = 'valid' | 'unsupported algorithm' | 'damaged'

/** RFC 8812, section 2 */
const RSA_BITS_MIN = 2048

// Labels and values of COSE_Key (RFC 9052, RFC 9053)
const [KTY, ALG, CRV, X, Y] = [1, 3, -1, -2, -3]
const [N, E] = [-1, -2]
const [OKP, EC2, RSA] = [1, 2, 3]
const [P256, ED25519] = [1, 6]

type CoseKey = Pick<Map<number, unknown>, 'get'>

/** Returns the key in the form that Node.js reads, by algorithm; undefined if another type of key has the algorithm. */
const CONVERTERS: Readonly<Record<number, (key: CoseKey) => JsonWebKey | undefined>> = {
  [-8]: (key) => (has(key, OKP, ED25519) ? { kty: 'OKP', crv: 'Ed25519', x: textOf(key, X) } : undefined),
  [-7]: (key) => (has(key, EC2, P256) ? { kty: 'EC', crv: 'P-256', x: textOf(key, X), y: textOf(key, Y) } : undefined),
  [-257]: (key) => (key.get(KTY) === RSA ? { kty: 'RSA', n: textOf(key, N), e: textOf(key, E) } : undefined),
}

/** Loads the library that decodes public keys, and returns a function that checks a COSE_Key (RFC 9052). */
export async function publicKeyCheck(): Promise<(bytes: Uint8Array<ArrayBuffer>) => PublicKeyState> {
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  return (bytes) => {
    try {
      return check(decodeCredentialPublicKey(bytes))
    } catch {
      return 'damaged' // the library and Node.js throw errors of several kinds
    }
  }
}

function check(key: CoseKey): PublicKeyState {
  const algorithm = key.get(ALG)
  const convert = typeof algorithm === 'number' ? CONVERTERS[algorithm] : undefined
  if (!convert) return typeof algorithm === 'number' ? 'unsupported algorithm' : 'damaged'
  const jwk = convert(key)
  if (!jwk) return 'damaged'
  const { modulusLength = RSA_BITS_MIN } = createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails ?? {}
  return modulusLength < RSA_BITS_MIN ? 'unsupported algorithm' : 'valid'
}

function has(key: CoseKey, type: number, curve: number): boolean {
  return key.get(KTY) === type && key.get(CRV) === curve
}

function textOf(key: CoseKey, label: number): string {
  const bytes = key.get(label)
  if (!(bytes instanceof Uint8Array)) throw new TypeError('a parameter of a public key is not a byte string')
  return Buffer.from(bytes).toString('base64url')
}
