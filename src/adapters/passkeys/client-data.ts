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
 * not issued for the purpose, and for the origin of another page.
 */
export function clientData(
  { id, origins }: RelyingParty,
  challenges: Challenges,
): (clientDataJSON: string, purpose: Purpose) => ValidClientData | undefined {
  return (clientDataJSON, purpose) => {
    const { challenge: text, origin } = parse(clientDataJSON)
    const challenge = challenges.open(text, purpose)
    if (!challenge || !origins.some((each) => allows(each, origin))) return undefined
    return { challenge, expected: { expectedChallenge: text, expectedOrigin: origin, expectedRPID: id } }
  }
}

/** Returns the challenge and the origin; empty if they are missing. */
function parse(clientDataJSON: string): { challenge: string; origin: string } {
  let data: unknown
  try {
    data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  } catch {
    data = undefined
  }
  const { challenge, origin } = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  return { challenge: textOf(challenge), origin: textOf(origin) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** `http://localhost:*` allows every port. */
function allows(allowed: string, origin: string): boolean {
  return allowed.endsWith(':*') ? /^http:\/\/localhost(:[0-9]{1,5})?$/.test(origin) : allowed === origin
}
