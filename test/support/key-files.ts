// Key files, as they are and as they were.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKeys, parseKeyFile } from '../../src/adapters/keys.ts'
import { newKeyFile } from '../../src/adapters/keys/new.ts'
import type { KeyFile, KeyKind } from '../../src/adapters/keys/shape.ts'
import { temporaryFolder } from './process.ts'

export const KEY_KINDS = ['tokens', 'codes', 'links', 'refresh_tokens'] as const
export const SECRET_KINDS = ['codes', 'links', 'refresh_tokens'] as const

/** A file of its own with a text; gives its path. */
export function keyFileWith(text = newKeys()): string {
  const path = join(temporaryFolder(), 'keys.json')
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** A file of the shape of earlier versions, in which one secret served three purposes */
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
