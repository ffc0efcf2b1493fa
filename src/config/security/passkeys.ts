import { Type, type Static, type TObject } from '@sinclair/typebox'
import { isIP } from 'node:net'
import { list, text } from '../variable-kinds.ts'

const HOST = '^(localhost|([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]([a-z0-9-]*[a-z0-9])?)$'
const ORIGIN = '^(https://[^/?#@\\s]+|http://localhost(:([0-9]{1,5}|\\*))?|android:apk-key-hash:[\\w-]{43})$'

/** Variables of passkeys. */
export const passkeyVariables = {
  WEBAUTHN_RP_ID: Type.Optional(
    text(
      {
        about:
          'Domain that passkeys are bound to (WebAuthn RP ID). Pages of it and of its subdomains can use them. It cannot be changed once accounts have passkeys.',
        accepts: 'a domain in lower case, such as example.com; no IP address',
        shown: 'localhost; none in production, so there are no passkeys',
      },
      HOST,
    ),
  ),
  WEBAUTHN_ORIGINS: Type.Optional(
    list(Type.String({ pattern: ORIGIN }), {
      about: 'Origins of the pages and Android apps that use passkeys.',
      accepts:
        'a comma-separated list of origins such as https://www.example.com, http://localhost:* or android:apk-key-hash:…',
      shown: 'https:// and WEBAUTHN_RP_ID',
    }),
  ),
}

type PasskeyVariables = Partial<Static<TObject<typeof passkeyVariables>>>

/** Lists the origins that browsers would not allow to use passkeys of the RP ID. */
export function passkeyProblems({ WEBAUTHN_RP_ID: id, WEBAUTHN_ORIGINS: origins }: PasskeyVariables): string[] {
  if (id === undefined) {
    return origins
      ? ['WEBAUTHN_RP_ID is not set, although WEBAUTHN_ORIGINS is. Expected the domain of the passkeys.']
      : []
  }
  if (!Array.isArray(origins)) return []
  return origins
    .filter((origin) => !belongsTo(id, origin))
    .map((origin) => `WEBAUTHN_ORIGINS: ${origin} is not an origin of ${id} or of one of its subdomains.`)
}

/** The pages and apps that can use passkeys, and the domain of the passkeys (WebAuthn Level 3, section 4) */
export type PasskeyConfig = Readonly<{ id: string; origins: readonly string[] }>

export function parsePasskeyConfig(
  { WEBAUTHN_RP_ID: id, WEBAUTHN_ORIGINS: origins }: PasskeyVariables,
  isProduction: boolean,
): PasskeyConfig | undefined {
  if (id === undefined) return isProduction ? undefined : { id: 'localhost', origins: ['http://localhost:*'] }
  return { id, origins: origins ?? [id === 'localhost' ? 'http://localhost:*' : `https://${id}`] }
}

function belongsTo(id: string, origin: string): boolean {
  if (origin.startsWith('android:')) return true
  const host = origin.replace(/^https?:\/\//, '').replace(/:[0-9*]+$/, '')
  return isIP(host) === 0 && (host === id || host.endsWith(`.${id}`))
}
