import { failuresAt, type FieldFailures } from '../../../domain/failure.ts'

/** 80 bits, which many systems have used, to 512 bits, in characters of base32 */
const CHARACTERS = { min: 16, max: 103 }

/** The remainders of lengths divided by 8 that no number of bytes has in base32 (RFC 4648, section 6) */
const IMPOSSIBLE_REMAINDERS = [1, 3, 6]

/** The parameters of a URI that this service does not vary, with the values that mean the same */
const PARAMETERS = { algorithm: /^(hmac-?)?sha-?1$/i, digits: /^6$/, period: /^30$/ }

/** A secret in base32 without padding, or why it cannot be used */
type ReadSecret = Readonly<{ secret: string } | { failures: FieldFailures }>

/** Reads the secret of an authenticator app, in base32 as people type it or as an `otpauth` URI. */
export function readTotpSecret(text: string): ReadSecret {
  return /^\s*otpauth:/i.test(text) ? readUri(text.trim()) : readBase32(text)
}

function readUri(text: string): ReadSecret {
  const uri = URL.canParse(text) ? new URL(text) : undefined
  if (!uri) return { failures: { totp_secret: ['wrong_format'] } }
  if (uri.host.toLowerCase() !== 'totp') return { failures: failuresAt('totp_secret.type', 'not_allowed') }
  const wrong = Object.entries(PARAMETERS).flatMap(([name, usual]) =>
    uri.searchParams.getAll(name).every((value) => usual.test(value))
      ? []
      : [failuresAt(`totp_secret.${name}`, 'not_allowed')],
  )
  if (wrong.length > 0) return { failures: Object.assign({}, ...wrong) as FieldFailures }
  const [secret = '', another] = uri.searchParams.getAll('secret')
  return readBase32(another === undefined ? secret : '')
}

function readBase32(text: string): ReadSecret {
  const typed = text.replaceAll(/[ -]/g, '').replace(/=+$/, '')
  const { length } = typed
  if (!/^[A-Za-z2-7]+$/.test(typed)) return { failures: { totp_secret: ['wrong_format'] } }
  if (length < CHARACTERS.min)
    return { failures: { totp_secret: [{ code: 'too_short', values: { limit: CHARACTERS.min } }] } }
  if (length > CHARACTERS.max)
    return { failures: { totp_secret: [{ code: 'too_long', values: { limit: CHARACTERS.max } }] } }
  return IMPOSSIBLE_REMAINDERS.includes(length % 8)
    ? { failures: { totp_secret: ['wrong_format'] } }
    : { secret: typed.toUpperCase() }
}
