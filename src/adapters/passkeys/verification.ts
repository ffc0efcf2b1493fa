import type * as WebAuthn from '@simplewebauthn/server'
import type { components } from '../../../generated/types.ts'
import type { NewPasskey, PasskeyProof, StoredPasskey } from '../../domain/factors/passkey.ts'
import type { ValidClientData } from './challenges.ts'
import { publicKeyCheck } from './public-keys.ts'

export type Assertion = components['schemas']['PasskeyAssertion']
export type Attestation = components['schemas']['PasskeyAttestation']

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812), preferred ones first */
export const ALGORITHMS = [-8, -7, -257]

/** The bytes of the id of a credential (WebAuthn Level 3, section 7.1). The library accepts any number. */
const ID_BYTES_MAX = 1023

/** The library is loaded when the first passkey is verified. */
const library = (): Promise<typeof WebAuthn> => import('@simplewebauthn/server')

/** Returns undefined if the credential does not satisfy WebAuthn Level 3, section 7.1. */
export async function verifyAttestation(
  { id, response: { clientDataJSON, attestationObject, transports = [] } }: Attestation,
  { challenge, expected }: ValidClientData,
): Promise<NewPasskey | undefined> {
  const { addition } = challenge
  if (!addition) return undefined
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response: { ...known(id), response: { clientDataJSON, attestationObject } },
    ...{ ...expected, requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS },
  }).catch(toInvalid)
  if (!verified?.registrationInfo) return undefined
  const { credential, aaguid, credentialDeviceType, credentialBackedUp: backedUp } = verified.registrationInfo
  const backupEligible = credentialDeviceType === 'multiDevice'
  const credentialId = new Uint8Array(Buffer.from(credential.id, 'base64url'))
  const { length } = credentialId
  const checkKey = await publicKeyCheck() // without an attestation, the library reads only the algorithm
  if (length === 0 || length > ID_BYTES_MAX || checkKey(credential.publicKey) !== 'valid') return undefined
  return {
    publicKey: new Uint8Array(credential.publicKey),
    counter: backupEligible ? 0 : credential.counter,
    relyingPartyId: expected.expectedRPID,
    ...{ credentialId, transports, ...addition, aaguid, backupEligible, backedUp, challenge },
  }
}

/** Returns undefined if the assertion does not satisfy WebAuthn Level 3, section 7.2. */
export async function verifyAssertion(
  { id, response: { clientDataJSON, authenticatorData, signature, userHandle } }: Assertion,
  { id: passkeyId, userHandle: handle, publicKey, counter, backupEligible }: StoredPasskey,
  { challenge, expected }: ValidClientData,
): Promise<PasskeyProof | undefined> {
  if (!Buffer.from(handle).equals(Buffer.from(userHandle, 'base64url'))) return undefined
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: { ...known(id), response: { clientDataJSON, authenticatorData, signature } },
    ...{ ...expected, requireUserVerification: true, credential: { id, publicKey, counter } },
  }).catch(toInvalid)
  if (!verified?.verified) return undefined
  const { newCounter, credentialDeviceType, credentialBackedUp: backedUp } = verified.authenticationInfo
  if ((credentialDeviceType === 'multiDevice') !== backupEligible) return undefined
  return { method: 'passkey', passkeyId, counter: backupEligible ? 0 : newCounter, backedUp, challenge }
}

/** Returns the members of a credential that the library reads, without those that a client has added. */
function known(id: string): { id: string; rawId: string; type: 'public-key'; clientExtensionResults: object } {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
}

/** The library throws errors of several kinds for credentials that it cannot decode or verify. All mean the same. */
const toInvalid = (): undefined => undefined
