import type { PublicKeyState } from '../../../adapters/passkeys/public-keys.ts'
import { failuresAt, type FieldFailure, type FieldFailures } from '../../../domain/failure.ts'
import type { ImportedPasskey } from '../../../domain/import.ts'
import { checkDate } from './dates.ts'

/** A passkey of a row that is valid by the schema */
export type PasskeyForm = Readonly<{
  credential_id: string
  public_key: string
  user_handle: string
  rp_id: string
  counter: number
  transports: readonly string[]
  name: string
  backup_eligible: boolean
  backed_up: boolean
  aaguid?: string | null
  created_at?: string | null
}>

export type PasskeyRules = Readonly<{
  /** The domain of passkeys; undefined if there are none */
  relyingPartyId: string | undefined
  checkPublicKey: (bytes: Uint8Array<ArrayBuffer>) => PublicKeyState
}>

type Checking = PasskeyRules & Readonly<{ nowMs: number }>

/** Of an authenticator whose model is not known (WebAuthn Level 3, section 6.5.1) */
const NO_AAGUID = '00000000-0000-0000-0000-000000000000'

/** Returns the failures of the passkeys of a row, by the path of the field. */
export function checkPasskeys(forms: readonly PasskeyForm[], checking: Checking): FieldFailures {
  const failures = forms.flatMap((form, at) =>
    Object.entries(checkPasskey(form, forms.slice(0, at), checking)).map(([field, failure]) =>
      failure ? failuresAt(`passkeys.${at}.${field}`, failure) : {},
    ),
  )
  return Object.assign({}, ...failures) as FieldFailures
}

type Checks = Partial<Record<keyof PasskeyForm, FieldFailure | undefined>>

function checkPasskey(form: PasskeyForm, earlier: readonly PasskeyForm[], checking: Checking): Checks {
  const { relyingPartyId, checkPublicKey, nowMs } = checking
  const isSame = (field: 'credential_id' | 'user_handle') => (other: PasskeyForm) =>
    decode(other[field]).equals(decode(form[field]))
  return {
    credential_id: earlier.some(isSame('credential_id')) ? 'repeated' : undefined,
    public_key: PUBLIC_KEY_FAILURES[checkPublicKey(new Uint8Array(decode(form.public_key)))],
    user_handle: earlier.every(isSame('user_handle')) ? undefined : 'not_allowed',
    rp_id: form.rp_id === relyingPartyId ? undefined : 'not_allowed',
    backed_up: form.backed_up && !form.backup_eligible ? 'not_allowed' : undefined,
    created_at: checkDate(form.created_at ?? undefined, nowMs),
  }
}

const PUBLIC_KEY_FAILURES: Readonly<Record<PublicKeyState, FieldFailure | undefined>> = {
  valid: undefined,
  'unsupported algorithm': 'not_allowed',
  damaged: 'wrong_format',
}

/** A backup-eligible passkey has no signature counter, as after its enrollment. */
export function toImportedPasskey(form: PasskeyForm): ImportedPasskey {
  return {
    credentialId: new Uint8Array(decode(form.credential_id)),
    publicKey: new Uint8Array(decode(form.public_key)),
    userHandle: new Uint8Array(decode(form.user_handle)),
    relyingPartyId: form.rp_id,
    counter: form.backup_eligible ? 0 : form.counter,
    transports: form.transports,
    name: form.name.trim(),
    aaguid: form.aaguid ?? NO_AAGUID,
    backupEligible: form.backup_eligible,
    backedUp: form.backed_up,
    createdAt: form.created_at ? new Date(form.created_at) : undefined,
  }
}

function decode(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}
