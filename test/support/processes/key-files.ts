// Key files of the current and of earlier formats.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKeys, parseKeyFile } from '../../../src/adapters/keys/index.ts'
import { newKeyFile } from '../../../src/adapters/keys/new-keys.ts'
import type { KeyFile, KeyKind } from '../../../src/adapters/keys/key-file-schema.ts'
import { temporaryFolder } from './process.ts'

export const KEY_KINDS = ['tokens', 'codes', 'links', 'refresh_tokens'] as const
export const SECRET_KINDS = ['codes', 'links', 'refresh_tokens'] as const

/** Writes a new key file. Returns its path. */
export function keyFileWith(text = newKeys()): string {
  const path = join(temporaryFolder(), 'keys.json')
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** Returns a key file of earlier versions, in which one secret had three purposes. */
export function sharedKeys(): string {
  const { tokens, codes } = newKeyFile(Date.now())
  return JSON.stringify({ tokens, otp: codes[0]?.k })
}

export function kidsIn(text: string, kind: KeyKind = 'tokens'): string[] {
  return kidsOf(parseKeyFile(text, 'test'), kind)
}

export function kidsOf(file: KeyFile, kind: KeyKind): string[] {
  return file[kind].map(({ kid }) => kid)
}
