// The format of a key file: JSON Web Keys (RFC 7517), in one list for each kind.
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { LIMITS } from '../../../generated/limits.ts'
import { StartupError } from '../../lib/startup-error.ts'

const KEY_PATTERN = '^[\\w-]{43}$' // 32 bytes as base64url
const TIME_PATTERN = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'

/** The name of a key, and since when it waits to be used (`prepared`) or only verifies (`retired`) */
const COMMON_PROPERTIES = {
  kid: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  prepared: Type.Optional(Type.String({ pattern: TIME_PATTERN })),
  retired: Type.Optional(Type.String({ pattern: TIME_PATTERN })),
}

/** The curves of key pairs by the algorithm of their signatures (RFC 8037; RFC 7518, 3.4) */
export const CURVES = {
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  ES256: { kty: 'EC', crv: 'P-256' },
} as const
export type Algorithm = keyof typeof CURVES
export const ALGORITHMS = Object.keys(CURVES) as Algorithm[] // an object literal has no other keys

/** A key pair that signs access tokens */
const PrivateJwk = Type.Object({
  kty: Type.Union([Type.Literal('OKP'), Type.Literal('EC')]),
  crv: Type.Union([Type.Literal('Ed25519'), Type.Literal('P-256')]),
  x: Type.String({ pattern: KEY_PATTERN }),
  /** Only of a key with the curve P-256 */
  y: Type.Optional(Type.String({ pattern: KEY_PATTERN })),
  d: Type.String({ pattern: KEY_PATTERN }),
  ...COMMON_PROPERTIES,
})
export type PrivateJwk = Static<typeof PrivateJwk>

const SecretJwk = Type.Object({
  kty: Type.Literal('oct'),
  k: Type.String({ pattern: KEY_PATTERN }),
  ...COMMON_PROPERTIES,
})
export type SecretJwk = Static<typeof SecretJwk>

export type Jwk = PrivateJwk | SecretJwk

const size = { minItems: 1, maxItems: LIMITS.keys.max }
const tokens = Type.Array(PrivateJwk, size)
const secrets = Type.Array(SecretJwk, size)

/** Key files of earlier versions have no such list; the audit trail is then not sealed. */
const audit_seals = Type.Array(SecretJwk, { maxItems: LIMITS.keys.max })
/** Neither have they this one; authenticator apps can then not be used. */
const factors = audit_seals

/** The keys of the service by kind. The first key of a kind is used; all keys of a kind verify. */
const KeyFile = Type.Object({ tokens, codes: secrets, links: secrets, refresh_tokens: secrets, audit_seals, factors })
export type KeyFile = Static<typeof KeyFile>
export type KeyKind = keyof KeyFile
export const KEY_KINDS = Object.keys(KeyFile.properties) as KeyKind[] // the schema has no other kinds

/** The format of earlier versions: one secret, from which all keys except those of the tokens are derived */
const SharedKeyFile = Type.Object({ tokens, otp: Type.String({ pattern: KEY_PATTERN }) })

/** The member of the earlier format, and the name of the keys made from it */
const SHARED_SECRET_NAME = 'otp'
const MAKE_NEW = 'Create new keys with npm run -s keys.'

/**
 * Parses the text of a key file. In the earlier format, the shared secret becomes the key of each kind, so that
 * existing codes, links and tokens stay valid.
 *
 * @param name names the text in errors, for example `KEYS`
 * @throws StartupError if the text is not a key file
 */
export function parseKeyFileShape(text: string, name: string): KeyFile {
  const file = parseJson(text, name)
  const isObject = typeof file === 'object' && file !== null && !Array.isArray(file)
  if (!isObject || !(SHARED_SECRET_NAME in file))
    return assertShape(KeyFile, isObject ? { audit_seals: [], factors: [], ...file } : file, name)
  if (KEY_KINDS.some((kind) => kind !== 'tokens' && kind in file)) {
    throw new StartupError(
      `${name} has both ${SHARED_SECRET_NAME} and the keys that replace it. Remove ${SHARED_SECRET_NAME}.`,
    )
  }
  const { tokens, otp } = assertShape(SharedKeyFile, file, name)
  const shared = (): SecretJwk[] => [{ kty: 'oct', kid: SHARED_SECRET_NAME, k: otp }]
  return { tokens, codes: shared(), links: shared(), refresh_tokens: shared(), audit_seals: [], factors: [] }
}

/** Returns the algorithm of a key pair, which its curve decides. */
export function algorithmOf({ crv }: Pick<PrivateJwk, 'crv'>): Algorithm {
  return crv === CURVES.EdDSA.crv ? 'EdDSA' : 'ES256'
}

function assertShape<Shape extends TSchema>(shape: Shape, file: unknown, name: string): Static<Shape> {
  if (Value.Check(shape, file)) return file
  const [{ path, message } = { path: '', message: '' }] = Value.Errors(shape, file)
  throw new StartupError(`${name} is invalid at ${path === '' ? '/' : path}: ${message}. ${MAKE_NEW}`)
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StartupError(`${name} is not valid JSON. ${MAKE_NEW}`) // the cause would quote a secret
  }
}
