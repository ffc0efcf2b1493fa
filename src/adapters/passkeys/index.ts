import { randomBytes } from 'node:crypto'
import type { components } from '../../../generated/types.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Begun, NewPasskey, PasskeyDescriptor, PasskeyProof, StoredPasskey } from '../../domain/factors/passkey.ts'
import type { Secrets } from '../keys/index.ts'
import { sealedChallenges, toBase64Url, type Purpose, type RelyingParty } from './challenges.ts'
import { ALGORITHMS, verifyAssertion, verifyAttestation, type Assertion, type Attestation } from './verification.ts'

type Schemas = components['schemas']

/** The purposes of challenges for one account */
type OwnPurpose = Exclude<Purpose, 'login'>

/** Passkeys of one relying party (WebAuthn Level 3). */
export type Passkeys = {
  requestOptions(purpose: Purpose): Schemas['PasskeyRequestOptions']
  creationOptions(purpose: OwnPurpose, owner: PasskeyOwner): Schemas['PasskeyCreationOptions']
  /**
   * Verifies a new credential (section 7.1). Returns undefined if it is damaged, was created elsewhere, for another purpose,
   * or without a verification of the user.
   */
  verifyAttestation(credential: Attestation, purpose: OwnPurpose): Promise<NewPasskey | undefined>
  /**
   * Verifies an assertion (section 7.2). Returns undefined if it does not prove the passkey. What it returns must still be
   * used up, because a challenge is valid once.
   */
  verifyAssertion(credential: Assertion, stored: StoredPasskey, purpose: Purpose): Promise<PasskeyProof | undefined>
}

type PasskeyOwner = Begun &
  Readonly<{
    email: string
    /** The handle of the passkeys of the account; undefined for the first one */
    userHandle: Uint8Array | undefined
    passkeys: readonly PasskeyDescriptor[]
  }>

const HANDLE_BYTES = 32
const TIMEOUT_MS = LIMITS.passkeys.challenge_seconds * 1000

export function passkeys(
  secrets: Secrets,
  { relyingParty, clock }: { relyingParty: RelyingParty; clock: Clock },
): Passkeys {
  const challenges = sealedChallenges(secrets, relyingParty, clock)
  return {
    requestOptions: (purpose) => ({
      challenge: challenges.issue(purpose),
      rpId: relyingParty.id,
      timeout: TIMEOUT_MS,
      userVerification: 'required',
      allowCredentials: [],
    }),
    creationOptions(purpose, { email, userHandle = randomBytes(HANDLE_BYTES), passkeys: excluded, byFactor }) {
      return {
        challenge: challenges.issue(purpose, { userHandle, byFactor }),
        rp: { id: relyingParty.id, name: 'Tawthiq' },
        user: { id: toBase64Url(userHandle), name: email, displayName: email },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        timeout: TIMEOUT_MS,
        excludeCredentials: excluded.map(({ credentialId, transports }) => {
          return { type: 'public-key', id: toBase64Url(credentialId), transports: [...transports] }
        }),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      }
    },
    async verifyAttestation(credential, purpose) {
      const valid = challenges.readClientData(credential.response.clientDataJSON, purpose)
      return valid && verifyAttestation(credential, valid)
    },
    async verifyAssertion(credential, stored, purpose) {
      const valid = challenges.readClientData(credential.response.clientDataJSON, purpose)
      return valid && verifyAssertion(credential, stored, valid)
    },
  }
}
