// The JSON of WebAuthn Level 3, section 5.1, with the functions of the browser where it has them.
import type { Schemas } from '../contract.ts'

/** The members that are base64url in JSON */
const BINARY = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const

type ResponseData = AuthenticatorResponse & Partial<AuthenticatorAttestationResponse & AuthenticatorAssertionResponse>

/** A credential as the service takes it */
export type CredentialJson = Schemas['PasskeyAssertion'] & Schemas['PasskeyAttestation']

/** Functions that older browsers lack */
export const natives = (): Partial<typeof PublicKeyCredential> => PublicKeyCredential

export function toRequestOptions(json: Schemas['PasskeyRequestOptions']): PublicKeyCredentialRequestOptions {
  const native = natives().parseRequestOptionsFromJSON?.(json)
  return native ?? { ...json, challenge: decode(json.challenge), allowCredentials: [] }
}

export function toCreationOptions(json: Schemas['PasskeyCreationOptions']): PublicKeyCredentialCreationOptions {
  const { challenge, user, excludeCredentials } = json
  const native = natives().parseCreationOptionsFromJSON?.(json)
  return (
    native ?? {
      ...json,
      challenge: decode(challenge),
      user: { ...user, id: decode(user.id) },
      excludeCredentials: excludeCredentials.map(
        ({ id, transports, type }) => ({ type, id: decode(id), transports }) as PublicKeyCredentialDescriptor,
      ),
    }
  )
}

export function toCredentialJson(credential: PublicKeyCredential): CredentialJson {
  try {
    return credential.toJSON() as CredentialJson // the service validates it
  } catch {
    // older browsers have no toJSON, and credentials of some password managers have one that throws
    const response = credential.response as ResponseData
    const texts = BINARY.flatMap((name) => {
      const bytes = response[name]
      return bytes ? [[name, encode(bytes)] as const] : []
    })
    const transports = response.getTransports?.()
    const data = { ...Object.fromEntries(texts), ...(transports && { transports }) }
    return { id: credential.id, type: credential.type, response: data } as unknown as CredentialJson
  }
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function encode(bytes: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
