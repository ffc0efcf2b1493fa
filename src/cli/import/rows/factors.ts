import type { FieldFailures } from '../../../domain/failure.ts'
import type { ImportedFactors } from '../../../domain/import.ts'
import { checkPasskeys, toImportedPasskey, type PasskeyForm, type PasskeyRules } from './passkeys.ts'
import { readTotpSecret } from './totp-secret.ts'

/** The columns of second factors that are valid by the schema */
export type FactorForm = Readonly<{
  totp_secret?: string
  passkeys?: readonly PasskeyForm[]
  phone_verified?: boolean
  email_verified?: boolean
}>

export type FactorRules = PasskeyRules &
  Readonly<{
    /** Encrypts the base32 secret of an authenticator app for an account. */
    sealTotp: (secret: string, accountId: number) => Uint8Array
  }>

type ReadFactors = Readonly<{ factors: ImportedFactors | undefined; failures: FieldFailures }>

const NONE: ReadFactors = { factors: undefined, failures: {} }

export function readFactors(form: FactorForm, rules: FactorRules, nowMs: number): ReadFactors {
  const { totp_secret: text, passkeys = [] } = form
  if (text === undefined && passkeys.length === 0) return NONE
  const app = text === undefined ? undefined : readTotpSecret(text)
  const failures = {
    ...(app && 'failures' in app && app.failures),
    ...checkPasskeys(passkeys, { ...rules, nowMs }),
    ...checkContact(form),
  }
  if (Object.keys(failures).length > 0) return { factors: undefined, failures }
  const secret = app && 'secret' in app ? app.secret : undefined
  const sealTotp = secret === undefined ? undefined : (accountId: number) => rules.sealTotp(secret, accountId)
  return { factors: { sealTotp, passkeys: passkeys.map(toImportedPasskey) }, failures }
}

/** Without a verified address or number, an owner who has lost the factor could not get the account back. */
function checkContact({ phone_verified, email_verified }: FactorForm): FieldFailures {
  return phone_verified || email_verified ? {} : { email_verified: ['required'] }
}
