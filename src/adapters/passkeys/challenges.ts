import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Begun, UsedChallenge } from '../../domain/factors/passkey.ts'
import type { Secrets } from '../keys/index.ts'
import { aesSeal } from '../keys/seal.ts'
import { resetTokens } from '../tokens/refresh-tokens.ts'

/** What a challenge is for. That of a login belongs to no account. */
export type Purpose = 'login' | Readonly<{ action: 'add' | 'reauthenticate'; accountId: number; sessionId: string }>

/** What the challenge of a new passkey carries */
type Addition<Handle = Uint8Array> = Begun & Readonly<{ userHandle: Handle }>

/** A challenge that is valid, and what it was issued with */
type ValidChallenge = UsedChallenge & Readonly<{ addition: Addition<Uint8Array<ArrayBuffer>> | undefined }>

/** The domain of passkeys, and the origins of the pages and apps that can use them */
export type RelyingParty = Readonly<{ id: string; origins: readonly string[] }>

/** The challenge and the origin that a browser has signed, and which this service accepts */
export type ValidClientData = Readonly<{
  challenge: ValidChallenge
  expected: Readonly<{ expectedChallenge: string; expectedOrigin: string; expectedRPID: string }>
}>

/** Challenges that need no storage until they are used: each is encrypted for its purpose, with its expiry. */
type Challenges = {
  /** Returns a challenge, base64url. */
  issue(purpose: Purpose, addition?: Addition): string
  /**
   * Reads client data (WebAuthn Level 3, section 5.8.1). Returns undefined for a challenge that has expired or was not issued
   * for the purpose, for the origin of another page, and for a page inside one of another origin, which could trick the user
   * into a confirmation.
   */
  readClientData(clientDataJSON: string, purpose: Purpose): ValidClientData | undefined
}

type Content = Readonly<{ id: string; expiresAtMs: number; addition: Addition<string> | null }>

const LABEL = 'tawthiq passkey challenges, version 1'
/** WebAuthn Level 3, section 13.4.3 */
const RANDOM_BYTES = 16

export function sealedChallenges(secrets: Secrets, { id: rpId, origins }: RelyingParty, clock: Clock): Challenges {
  const seal = aesSeal<Content>(secrets, LABEL)
  const open = (challenge: string, purpose: Purpose): ValidChallenge | undefined => {
    const content = seal.open(fromBase64Url(challenge), ownerOf(purpose))
    if (!content || content.expiresAtMs <= clock.nowMs()) return undefined
    const { id, expiresAtMs, addition } = content
    return {
      hash: resetTokens.hash(id),
      expiresAt: new Date(expiresAtMs),
      addition: addition ? { ...addition, userHandle: fromBase64Url(addition.userHandle) } : undefined,
    }
  }
  return {
    issue(purpose, addition) {
      const content = {
        id: toBase64Url(randomBytes(RANDOM_BYTES)),
        expiresAtMs: clock.nowMs() + LIMITS.passkeys.challenge_seconds * 1000,
        addition: addition ? { ...addition, userHandle: toBase64Url(addition.userHandle) } : null,
      }
      return toBase64Url(seal.seal(content, ownerOf(purpose)))
    },
    readClientData(clientDataJSON, purpose) {
      const { challenge: text, origin, crossOrigin, topOrigin } = parse(clientDataJSON)
      const isEmbedded = crossOrigin === true || typeof topOrigin === 'string'
      if (typeof text !== 'string' || typeof origin !== 'string' || isEmbedded) return undefined
      const challenge = open(text, purpose)
      if (!challenge || !origins.some((each) => allows(each, origin))) return undefined
      return { challenge, expected: { expectedChallenge: text, expectedOrigin: origin, expectedRPID: rpId } }
    },
  }
}

export function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

function ownerOf(purpose: Purpose): string {
  if (purpose === 'login') return purpose
  const { action, accountId, sessionId } = purpose
  return `${action} ${accountId} ${sessionId}`
}

/** Returns the members of client data; none if it is not JSON. */
function parse(clientDataJSON: string): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return { ...(data as object) } // other values, such as null, have none of the members
  } catch {
    return {}
  }
}

/** `http://localhost:*` allows every port. */
function allows(allowed: string, origin: string): boolean {
  return allowed.endsWith(':*') ? /^http:\/\/localhost(:[0-9]{1,5})?$/.test(origin) : allowed === origin
}
