// Registration requests.
import { untilServed } from '../service/sender.ts'
import type { World } from '../service/world.ts'

/** Short, because the time to estimate the strength of a password grows with the square of its length. */
export const NEW_PASSWORD = 'olive3kayak'

let people = 0

/** Returns the registration of a client with an Egyptian number, which requires no code. */
export function clientRegistration(more: object = {}): Record<string, string> {
  const number = ++people
  return {
    account_type: 'client',
    name: 'نوف الشهري',
    email: `new-${number}@example.org`,
    password: NEW_PASSWORD,
    phone: `010${String(number * 1009).padStart(8, '0')}`,
    phone_code: '20',
    ...more,
  }
}

export function lawyerRegistration(more: object = {}): Record<string, string> {
  const { name: _name, ...common } = clientRegistration({ account_type: 'lawyer' })
  return { ...common, first_name: 'فهد', second_name: 'سالم', fourth_name: 'الدوسري', ...more }
}

/** Sends a code to a new Saudi number. Returns both. */
export async function saudiNumber(world: World): Promise<{ phone: string; phone_code: string; otp: string }> {
  const phone = world.newPhone()
  const { status, body } = await untilServed(world.send('checkPhone'), { form: { phone_code: '966', phone } })
  if (status !== 200) throw new Error(`no code was sent: ${status} ${JSON.stringify(body)}`)
  const otp = world.codesTo(phone)[0] ?? ''
  return { phone, phone_code: '966', otp }
}
