import type { Challenges, Purpose, ValidChallenge } from './challenges.ts'

/** The domain of passkeys, and the origins of the pages and apps that can use them */
export type RelyingParty = Readonly<{ id: string; origins: readonly string[] }>

/** The challenge and the origin that a browser has signed, and which this service accepts */
export type ValidClientData = Readonly<{
  challenge: ValidChallenge
  expected: Readonly<{ expectedChallenge: string; expectedOrigin: string; expectedRPID: string }>
}>

/**
 * Returns a function that reads client data (WebAuthn Level 3, section 5.8.1). It returns undefined for a challenge that was
 * not issued for the purpose, for the origin of another page, and for a page inside one of another origin, which could trick
 * the user into a confirmation.
 */
export function clientData(
  { id, origins }: RelyingParty,
  challenges: Challenges,
): (clientDataJSON: string, purpose: Purpose) => ValidClientData | undefined {
  return (clientDataJSON, purpose) => {
    const { challenge: text, origin, isEmbedded } = parse(clientDataJSON)
    const challenge = challenges.open(text, purpose)
    if (!challenge || isEmbedded || !origins.some((each) => allows(each, origin))) return undefined
    return { challenge, expected: { expectedChallenge: text, expectedOrigin: origin, expectedRPID: id } }
  }
}

type Parsed = Readonly<{
  challenge: string
  origin: string
  /** Whether the page was inside one of another origin */
  isEmbedded: boolean
}>

/** Returns what client data contains. A missing challenge or origin is empty. */
function parse(clientDataJSON: string): Parsed {
  let data: unknown
  try {
    data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  } catch {
    data = undefined
  }
  const members = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  const { challenge, origin, crossOrigin, topOrigin } = members
  const isEmbedded = crossOrigin === true || typeof topOrigin === 'string'
  return { challenge: textOf(challenge), origin: textOf(origin), isEmbedded }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** `http://localhost:*` allows every port. */
function allows(allowed: string, origin: string): boolean {
  return allowed.endsWith(':*') ? /^http:\/\/localhost(:[0-9]{1,5})?$/.test(origin) : allowed === origin
}
