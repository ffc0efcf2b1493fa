import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Secrets } from './index.ts'
import { deriveKeys } from './keyed-hash.ts'

/** Encrypts what is stored and contains tokens, secrets or personal data. */
export type Seal<Content> = {
  /** @param owner without whom the bytes cannot be opened; empty by default */
  seal(content: Content, owner?: string): Uint8Array<ArrayBuffer>
  /** Returns undefined if the key is unknown, the bytes were changed, or they belong to another owner. */
  open(sealed: Uint8Array, owner?: string): Content | undefined
}

const ALGORITHM = 'aes-256-gcm'
const MARK_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts JSON with AES-256-GCM. The bytes start with a mark of the key, so that a key rotation leaves stored bytes
 * readable, and with a random nonce. Bytes that were sealed for an owner can be opened only for the same one.
 *
 * @param label names the purpose, so that each has keys of its own
 */
export function aesSeal<Content>(secrets: Secrets, label: string): Seal<Content> {
  const keys = deriveKeys(secrets, label)
  const [sealingKey] = keys
  const sealingMark = computeMark(sealingKey)
  const byMark = new Map(keys.map((key) => [computeMark(key).toString('latin1'), key]))
  return {
    seal(content, owner = '') {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, sealingKey, nonce).setAAD(Buffer.from(owner))
      const encrypted = [cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]
      return Buffer.concat([sealingMark, nonce, ...encrypted, cipher.getAuthTag()])
    },
    open(sealed, owner = '') {
      const bytes = Buffer.from(sealed)
      const key = byMark.get(bytes.toString('latin1', 0, MARK_BYTES))
      const text = key && decrypt(key, bytes.subarray(MARK_BYTES), owner)
      return text === undefined ? undefined : (JSON.parse(text) as Content) // authenticated, so this service wrote it
    },
  }
}

function computeMark(key: Buffer): Buffer {
  return createHmac('sha256', key).update('mark').digest().subarray(0, MARK_BYTES)
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
