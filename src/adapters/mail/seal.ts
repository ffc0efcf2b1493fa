import type { MailContent } from '../../domain/mail.ts'
import type { Secrets } from '../keys/index.ts'
import { keyedHash, type KeyedHash } from '../keys/keyed-hash.ts'
import { aesSeal, type Seal } from '../keys/seal.ts'

/** Encrypts what the outbox stores of an e-mail, because it contains tokens and personal data. */
export type MailSeal = Seal<MailContent>

const LABEL = 'tawthiq queued mail, version 1'

export function aesMailSeal(secrets: Secrets): MailSeal {
  return aesSeal(secrets, LABEL)
}

/** Hashes the recipients of notices, which are limited per account and recipient. */
export function recipientHash(codes: Secrets): KeyedHash {
  return keyedHash(codes, 'recipients of notices')
}
