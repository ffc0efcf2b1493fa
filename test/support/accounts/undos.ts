import { randomBytes } from 'node:crypto'
import type { NewUndo } from '../../../src/domain/accounts/undo.ts'

const random = (): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(32))

/** Returns hashes of proofs that nobody has. */
export function unknownUndo(): NewUndo {
  return { tokenHash: random(), codeHash: random }
}
