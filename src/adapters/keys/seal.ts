import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from './index.ts'

/** Encrypts what is stored and contains tokens, secrets or personal data. */
export type Seal<Content> = {
  /** @param owner without whom the bytes cannot be opened; empty by default */
  seal(content: Content, owner?: string): Uint8Array<ArrayBuffer>
  /** Returns undefined if the key is unknown, the bytes were changed, or they belong to another owner. */
  open(sealed: Uint8Array, owner?: string): Content | undefined
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const MARK_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16

type SealKey = { key: Buffer; mark: Buffer }

/**
 * Encrypts JSON with AES-256-GCM. The bytes start with a mark of the key, so that a key rotation leaves stored bytes
 * readable, and with a random nonce. Bytes that were sealed for an owner can be opened only for the same one.
 *
 * @param secrets the secrets that the keys are derived from with HKDF-SHA-256
 * @param label names the purpose, so that each has keys of its own
 */
export function aesSeal<Content>([first, ...others]: Secrets, label: string): Seal<Content> {
  const sealing = deriveKey(first, label)
  const keys = [sealing, ...others.map((secret) => deriveKey(secret, label))]
  return {
    seal(content, owner = '') {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, sealing.key, nonce).setAAD(Buffer.from(owner))
      const encrypted = [cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]
      return Buffer.concat([sealing.mark, nonce, ...encrypted, cipher.getAuthTag()])
    },
    open(sealed, owner = '') {
      const bytes = Buffer.from(sealed)
      const mark = bytes.subarray(0, MARK_BYTES)
      const found = keys.find((each) => each.mark.equals(mark))
      const text = found && decrypt(found.key, bytes.subarray(MARK_BYTES), owner)
      return text === undefined ? undefined : (JSON.parse(text) as Content) // authenticated, so this service wrote it
    },
  }
}

function deriveKey(secret: Uint8Array, label: string): SealKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', label, KEY_BYTES))
  return { key, mark: createHmac('sha256', key).update('mark').digest().subarray(0, MARK_BYTES) }
}

function decrypt(key: Buffer, bytes: Buffer, owner: string): string | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
