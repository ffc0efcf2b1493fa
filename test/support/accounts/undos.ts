import { randomBytes } from 'node:crypto'
import type { World } from '../service/world.ts'
import { clientForm } from './profile-forms.ts'
import { codeFor, settled } from './resets.ts'
import type { NewUndo } from '../../../src/domain/accounts/undo.ts'

const random = (): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(32))

/** Returns hashes of unknown proofs. */
export function unknownUndo(): NewUndo {
  return { tokenHash: random(), codeHash: random }
}

const CODE = /[A-Z2-7]{5}-[A-Z2-7]{5}/

/** Returns the undo codes that were sent to a number, the last one first. */
export async function undoCodesTo(world: World, phone: string): Promise<string[]> {
  await settled(world)
  return findUndoCodes(world.textsTo(phone))
}

export function findUndoCodes(texts: readonly string[]): string[] {
  return texts.flatMap((text) => CODE.exec(text)?.[0] ?? [])
}

export type UndoByCode = Record<'by' | 'phone_code' | 'phone' | 'otp', string>

/** Returns the body of an undo with a code. */
export function undoBy(phone: string, otp = ''): UndoByCode {
  return { by: 'phone', phone_code: '966', phone, otp }
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
