import { isIP } from 'node:net'
import { text, texts, type Values } from '../variable-kinds.ts'

const HOST = '^(localhost|([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]([a-z0-9-]*[a-z0-9])?)$'
const ORIGIN = '^(https://[^/?#@\\s]+|http://localhost(:([0-9]{1,5}|\\*))?)$'
/** A package and the SHA-256 hash of its signing certificate, as `keytool` prints it */
const ANDROID_APP = '^[A-Za-z]\\w*(\\.[A-Za-z]\\w*)+=([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$'
/** The id of a team and that of its app */
const IOS_APP = '^[A-Z0-9]{10}(\\.[A-Za-z0-9-]+)+$'

/** Variables of passkeys. */
export const passkeyVariables = {
  WEBAUTHN_RP_ID: text({
    about:
      'Domain that passkeys are bound to (WebAuthn RP ID). Pages of it and of its subdomains can use them. It cannot be changed once accounts have passkeys.',
    accepts: 'a domain in lower case, such as example.com; no IP address',
    shown: 'localhost; none in production, so there are no passkeys',
    pattern: HOST,
  }),
  WEBAUTHN_ORIGINS: texts(ORIGIN, {
    about: 'Origins of the pages that use passkeys.',
    accepts: 'a comma-separated list of origins such as https://www.example.com or http://localhost:*',
    shown: 'https:// and WEBAUTHN_RP_ID',
  }),
  WEBAUTHN_ANDROID_APPS: texts(ANDROID_APP, {
    about:
      'Android apps that use passkeys. The service serves their `/.well-known/assetlinks.json`, which also lets them open links to the domain.',
    accepts:
      'a comma-separated list of packages, each with the SHA-256 fingerprint of its signing certificate: com.example.app=AB:CD:…',
  }),
  WEBAUTHN_IOS_APPS: texts(IOS_APP, {
    about: 'iOS and macOS apps that use passkeys. The service serves their `/.well-known/apple-app-site-association`.',
    accepts: 'a comma-separated list of team id and bundle id: ABCDE12345.com.example.app',
  }),
}

type Given = Partial<Values<typeof passkeyVariables>> & { NODE_ENV?: string }

export const passkeyConfig = (given: Given) =>
  ({
    /** undefined: there are no passkeys */
    passkeys: parsePasskeyConfig(given),
    /** Apps that share the passkeys of pages */
    passkeyApps: {
      android: given.WEBAUTHN_ANDROID_APPS?.map(parseAndroidApp) ?? [],
      ios: given.WEBAUTHN_IOS_APPS ?? [],
    },
  }) as const

/** Lists the origins that browsers would not allow to use passkeys of the RP ID. */
export function passkeyProblems(given: Given): string[] {
  const { WEBAUTHN_ORIGINS: origins } = given
  const id = rpId(given)
  // apps need a domain that serves their association
  const apps = given.WEBAUTHN_RP_ID === undefined ? (['WEBAUTHN_ANDROID_APPS', 'WEBAUTHN_IOS_APPS'] as const) : []
  const dependent = id === undefined ? (['WEBAUTHN_ORIGINS', ...apps] as const) : apps
  const foreign = id === undefined || !Array.isArray(origins) ? [] : origins.filter((each) => !belongsTo(id, each))
  return [
    ...dependent
      .filter((name) => given[name] !== undefined)
      .map((name) => `WEBAUTHN_RP_ID is not set, although ${name} is. Expected the domain of the passkeys.`),
    ...foreign.map((each) => `WEBAUTHN_ORIGINS: ${each} is not an origin of ${id} or of one of its subdomains.`),
  ]
}

/** The domain of the passkeys, and the origins of the pages and apps that can use them (WebAuthn Level 3, section 4) */
type PasskeyConfig = Readonly<{ id: string; origins: readonly string[] }>

function parsePasskeyConfig(given: Given): PasskeyConfig | undefined {
  const id = rpId(given)
  if (id === undefined) return undefined
  const { WEBAUTHN_ANDROID_APPS: android = [], WEBAUTHN_IOS_APPS: ios = [] } = given
  const own = id === 'localhost' ? 'http://localhost:*' : `https://${id}`
  // apps of iOS have the origin of the domain
  const ofApps = [...android.map(originOfAndroidApp), ...(ios.length > 0 ? [own] : [])]
  return { id, origins: [...new Set([...(given.WEBAUTHN_ORIGINS ?? [own]), ...ofApps])] }
}

/** Returns the domain of the passkeys. Development has a default, so that they can be tried there. */
function rpId({ WEBAUTHN_RP_ID: id, NODE_ENV }: Given): string | undefined {
  return id ?? (NODE_ENV === 'production' ? undefined : 'localhost')
}

/** Parses an Android app, with the SHA-256 hash of its signing certificate in upper case hexadecimal between colons. */
function parseAndroidApp(text: string): { name: string; fingerprint: string } {
  const [name = '', fingerprint = ''] = text.split('=')
  return { name, fingerprint: fingerprint.toUpperCase() }
}

/** Returns the origin that Android gives an app in place of that of a page. */
function originOfAndroidApp(text: string): string {
  const { fingerprint } = parseAndroidApp(text)
  return `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`
}

function belongsTo(id: string, origin: string): boolean {
  const host = origin.replace(/^https?:\/\//, '').replace(/:[0-9*]+$/, '')
  return isIP(host) === 0 && (host === id || host.endsWith(`.${id}`))
}
