// What a key file looks like: JSON Web Keys (RFC 7517), in one list for each kind.
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { LIMITS } from '../../../generated/limits.ts'
import { StartFailure } from '../../start-failure.ts'

const KEY_PATTERN = '^[\\w-]{43}$' // 32 bytes as base64url
const TIME_PATTERN = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'

/** The name of a key, and since when it waits to be used (`prepared`) or only verifies (`retired`). */
const common = {
  kid: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  prepared: Type.Optional(Type.String({ pattern: TIME_PATTERN })),
  retired: Type.Optional(Type.String({ pattern: TIME_PATTERN })),
}

/** A key pair that signs access tokens */
const PrivateJwk = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String({ pattern: KEY_PATTERN }),
  d: Type.String({ pattern: KEY_PATTERN }),
  ...common,
})
export type PrivateJwk = Static<typeof PrivateJwk>

/** A symmetric key */
const SecretJwk = Type.Object({ kty: Type.Literal('oct'), k: Type.String({ pattern: KEY_PATTERN }), ...common })
export type SecretJwk = Static<typeof SecretJwk>

const size = { minItems: 1, maxItems: LIMITS.keys.max }
const tokens = Type.Array(PrivateJwk, size)
const secrets = Type.Array(SecretJwk, size)

/** Files of earlier versions have none, and the audit trail is not sealed until there is one. */
const audit_seals = Type.Array(SecretJwk, { maxItems: LIMITS.keys.max })

/** The keys of the service by kind. The first key of a kind is used; all keys of a kind verify. */
const KeyFile = Type.Object({ tokens, codes: secrets, links: secrets, refresh_tokens: secrets, audit_seals })
export type KeyFile = Static<typeof KeyFile>
export type KeyKind = keyof KeyFile

/** A file of before: one secret, from which all keys but those of the tokens are derived */
const SharedKeyFile = Type.Object({ tokens, otp: Type.String({ pattern: KEY_PATTERN }) })

/** The name of the key that a file of before had under this name */
const SHARED = 'otp'
const MAKE_NEW = 'Make new ones with npm run keys.'

/**
 * Reads the text of a key file. One with a shared secret comes out with that secret as the key of each kind, so that
 * everything that was made with it stays valid.
 *
 * @param name what to call the text in an error, for example `KEYS`
 * @throws StartFailure when it does not have the form of a key file
 */
export function shapedKeyFile(text: string, name: string): KeyFile {
  const file = parseJson(text, name)
  const isObject = typeof file === 'object' && file !== null
  if (!isObject || !(SHARED in file)) return checked(KeyFile, isObject ? { audit_seals: [], ...file } : file, name)
  if (Object.keys(KeyFile.properties).some((kind) => kind !== 'tokens' && kind in file)) {
    throw new StartFailure(`${name} has ${SHARED} beside the keys that replace it. Remove ${SHARED}.`)
  }
  const { tokens, otp } = checked(SharedKeyFile, file, name)
  const shared = (): SecretJwk[] => [{ kty: 'oct', kid: SHARED, k: otp }]
  return { tokens, codes: shared(), links: shared(), refresh_tokens: shared(), audit_seals: [] }
}

function checked<Shape extends TSchema>(shape: Shape, file: unknown, name: string): Static<Shape> {
  if (Value.Check(shape, file)) return file
  const [first] = Value.Errors(shape, file)
  throw new StartFailure(`${name} holds no good keys: ${first?.path ?? ''} ${first?.message ?? ''}. ${MAKE_NEW}`)
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StartFailure(`${name} is not JSON. ${MAKE_NEW}`) // its cause would quote a secret
  }
}
