// Challenges of passkeys. Only used ones are stored, until they expire.
import type { Bind, Part } from '../../database/composed.ts'
import type { UsedChallenge } from '../../domain/factors/passkey.ts'

export function isChallengeUnused({ hash }: UsedChallenge, bind: Bind): string {
  return `NOT EXISTS (SELECT FROM used_challenges c WHERE c.challenge_hash = ${bind(hash)})`
}

export function useChallenge({ hash, expiresAt }: UsedChallenge, bind: Bind): Part {
  const sql = `
    INSERT INTO used_challenges (challenge_hash, expires_at)
    SELECT ${bind(hash)}::bytea, ${bind(expiresAt)}::timestamptz FROM target`
  return { name: 'used_challenge', sql }
}
