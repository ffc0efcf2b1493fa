import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import type { Clock } from '../../domain/clock.ts'
import type { UsedChallenge } from '../../domain/factors/passkey.ts'
import type { Secrets } from '../keys/index.ts'
import { aesSeal } from '../keys/seal.ts'
import { resetTokens } from '../tokens/refresh-tokens.ts'

/** What a challenge is for. That of a login belongs to no account. */
export type Purpose = 'login' | Readonly<{ action: 'add' | 'reauthenticate'; accountId: number; sessionId: string }>

/** A challenge that is valid, and the user handle that it was issued with */
export type ValidChallenge = UsedChallenge & Readonly<{ userHandle: Uint8Array<ArrayBuffer> | undefined }>

/** Challenges that need no storage until they are used: each is encrypted for its purpose, with its expiry. */
export type Challenges = {
  /** Returns a challenge, base64url. */
  issue(purpose: Purpose, userHandle?: Uint8Array): string
  /** Returns undefined if the challenge was issued for another purpose, or has expired. */
  open(challenge: string, purpose: Purpose): ValidChallenge | undefined
}

type Content = Readonly<{ id: string; expiresAtMs: number; userHandle: string | null }>

const LABEL = 'tawthiq passkey challenges, version 1'
/** WebAuthn Level 3, section 13.4.3 */
const RANDOM_BYTES = 16

export function sealedChallenges(secrets: Secrets, clock: Clock): Challenges {
  const seal = aesSeal<Content>(secrets, LABEL)
  return {
    issue(purpose, userHandle) {
      const content = {
        id: randomBytes(RANDOM_BYTES).toString('base64url'),
        expiresAtMs: clock.nowMs() + LIMITS.passkeys.challenge_seconds * 1000,
        userHandle: userHandle ? Buffer.from(userHandle).toString('base64url') : null,
      }
      return Buffer.from(seal.seal(content, ownerOf(purpose))).toString('base64url')
    },
    open(challenge, purpose) {
      const content = seal.open(Buffer.from(challenge, 'base64url'), ownerOf(purpose))
      if (!content || content.expiresAtMs <= clock.nowMs()) return undefined
      const { id, expiresAtMs, userHandle } = content
      return {
        hash: resetTokens.hash(id),
        expiresAt: new Date(expiresAtMs),
        userHandle: userHandle === null ? undefined : new Uint8Array(Buffer.from(userHandle, 'base64url')),
      }
    },
  }
}

function ownerOf(purpose: Purpose): string {
  if (purpose === 'login') return purpose
  const { action, accountId, sessionId } = purpose
  return `${action} ${accountId} ${sessionId}`
}
