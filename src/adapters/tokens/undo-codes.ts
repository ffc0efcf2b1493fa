import { createHmac } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { deriveKeys } from '../keys/keyed-hash.ts'
import type { Secrets } from '../keys/index.ts'
import { newCode } from './factor-codes.ts'

type Hash = Uint8Array<ArrayBuffer>

/** Codes that undo changes, which are sent by SMS. The code of one number is wrong for any other. */
export type UndoCodes = {
  newCode(): string
  /** Returns the hash to store. */
  hash(phone: string, code: string): Hash
  /** Returns the hash for each key, the newest first, so that codes remain valid when a key is replaced. */
  hashes(phone: string, code: string): Hash[]
}

const LABEL = 'tawthiq undo codes, version 1'

/** The hashes have a key, because the codes are short enough to be typed: a copy of the database must not allow to guess them. */
export function undoCodes(secrets: Secrets): UndoCodes {
  const keys = deriveKeys(secrets, LABEL)
  const hashBy = (key: Buffer, phone: string, code: string): Hash =>
    new Uint8Array(createHmac('sha256', key).update(`${phone}:${code}`).digest())
  return {
    newCode: () => newCode(LIMITS.undo.characters),
    hash: (phone, code) => hashBy(keys[0], phone, code),
    hashes: (phone, code) => keys.map((key) => hashBy(key, phone, code)),
  }
}
