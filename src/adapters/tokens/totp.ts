import type * as OtpAuth from 'otpauth'
import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../../domain/failure.ts'
import type { Secrets } from '../keys/index.ts'
import { aesSeal } from '../keys/seal.ts'

/** The secrets and codes of authenticator apps. */
export type Totp = {
  /** Generates a secret for an account. Only its encrypted form is stored. Undefined without a key that encrypts it. */
  newSecret(accountId: number): Promise<{ secret: string; sealed: Uint8Array<ArrayBuffer> } | undefined>
  /** Returns the `otpauth` URI of a secret, for a QR code. */
  uri(secret: string, email: string): Promise<string>
  /**
   * Returns the time step of a code that the app displays at a time, or in one of the steps around it that are accepted;
   * undefined if the code is wrong.
   *
   * @throws Failure 503 `factors_unavailable` if no key can decrypt the secret
   */
  findStep(code: string, sealed: Uint8Array, at: { accountId: number; nowMs: number }): Promise<number | undefined>
}

const LABEL = 'tawthiq authenticator apps, version 1'
/** 160 bits, as RFC 4226, section 4 recommends */
const SECRET_BYTES = 20
const { totp_digits: digits, totp_seconds: period, totp_steps: window } = LIMITS.factors
const OPTIONS = { issuer: 'Tawthiq', algorithm: 'SHA1', digits, period } as const

/** The library is loaded when the first account needs it. */
const library = (): Promise<typeof OtpAuth> => import('otpauth')

/** Time-based one-time passwords (RFC 6238), whose secrets the keys encrypt, if the key file has any. */
export function totp(secrets: Secrets | undefined): Totp {
  const seal = secrets && aesSeal<string>(secrets, LABEL)
  return {
    async newSecret(accountId) {
      if (!seal) return undefined
      const { Secret } = await library()
      const secret = new Secret({ size: SECRET_BYTES }).base32
      return { secret, sealed: seal.seal(secret, String(accountId)) }
    },
    async uri(secret, email) {
      const { TOTP } = await library()
      return new TOTP({ ...OPTIONS, label: email, secret }).toString()
    },
    async findStep(token, sealed, { accountId, nowMs: timestamp }) {
      const base32 = seal?.open(sealed, String(accountId))
      if (base32 === undefined) throw new Failure('factors_unavailable')
      const { TOTP, Secret } = await library()
      const delta = TOTP.validate({ ...OPTIONS, token, secret: Secret.fromBase32(base32), timestamp, window })
      return delta === null ? undefined : TOTP.counter({ period, timestamp }) + delta
    },
  }
}

/** Returns a function that encrypts the base32 secret of an app for an account, as `newSecret` does. */
export function sealTotp(secrets: Secrets): (secret: string, accountId: number) => Uint8Array {
  const seal = aesSeal<string>(secrets, LABEL)
  return (secret, accountId) => seal.seal(secret, String(accountId))
}

/** Returns a function that encrypts a secret with the first key, unless it already is. */
export function resealTotp(
  secrets: Secrets,
): (secret: { accountId: number; sealed: Uint8Array }) => Uint8Array<ArrayBuffer> | 'current' | 'unreadable' {
  const [first] = secrets
  const all = aesSeal<string>(secrets, LABEL)
  const current = aesSeal<string>([first], LABEL)
  return ({ accountId, sealed }) => {
    const owner = String(accountId)
    if (current.open(sealed, owner) !== undefined) return 'current'
    const secret = all.open(sealed, owner)
    return secret === undefined ? 'unreadable' : current.seal(secret, owner)
  }
}
