import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { MailContent } from '../../domain/mail.ts'
import type { Secrets } from '../keys/index.ts'

/** Encrypts what the outbox stores of an e-mail, because it contains tokens and personal data. */
export type MailSeal = {
  seal(content: MailContent): Uint8Array
  /** Returns undefined if the key is unknown or the bytes were changed. */
  open(sealed: Uint8Array): MailContent | undefined
}

const ALGORITHM = 'aes-256-gcm'
const LABEL = 'tawthiq queued mail, version 1'
const KEY_BYTES = 32
const MARK_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16

type SealKey = { key: Buffer; mark: Buffer }

/**
 * Encrypts with AES-256-GCM. The bytes start with a mark of the key, so that a key rotation leaves stored e-mails readable,
 * and with a random nonce.
 *
 * @param secrets the secrets that the keys are derived from with HKDF-SHA-256
 */
export function aesMailSeal(secrets: Secrets): MailSeal {
  const [first, ...others] = secrets
  const sealing = deriveKey(first)
  const keys = [sealing, ...others.map(deriveKey)]
  return {
    seal(content) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, sealing.key, nonce)
      const encrypted = [cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]
      return Buffer.concat([sealing.mark, nonce, ...encrypted, cipher.getAuthTag()])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      const mark = bytes.subarray(0, MARK_BYTES)
      const found = keys.find((each) => each.mark.equals(mark))
      return found && decrypt(found.key, bytes.subarray(MARK_BYTES))
    },
  }
}

function deriveKey(secret: Uint8Array): SealKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', LABEL, KEY_BYTES))
  return { key, mark: createHmac('sha256', key).update('mark').digest().subarray(0, MARK_BYTES) }
}

function decrypt(key: Buffer, bytes: Buffer): MailContent | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString('utf8')) as MailContent // authenticated, so this service wrote it
  } catch {
    return undefined
  }
}
