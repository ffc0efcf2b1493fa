import { randomBytes } from 'node:crypto'
import type { World } from '../service/world.ts'
import { clientForm } from './profile-forms.ts'
import { codeFor } from './resets.ts'
import type { NewUndo } from '../../../src/domain/accounts/undo.ts'

const random = (): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(32))

/** Returns hashes of unknown proofs. */
export function unknownUndo(): NewUndo {
  return { tokenHash: random(), codeHash: random }
}

/** Replaces the number of a client in a session. Returns the new one. */
export async function changeNumber(world: World, email: string, token: string): Promise<string> {
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const form = clientForm({ email, phone }, { otp: await codeFor(world, phone) })
  const { status, body } = await world.send('updateProfile')({ token, form })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return phone
}
