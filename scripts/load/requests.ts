// Requests, each of another account or phone number, so that no limit applies.
import { clientForm, lawyerForm } from '../../test/support/accounts/profile-forms.ts'
import type { Sent } from './send.ts'

export type Account = { email: string; phone: string; token: string; refreshToken: string }

const PASSWORD = 'olive-harbour-58-lantern'
/** 2^30 / the golden ratio: consecutive numbers are far apart, because neighbouring ones share a limit. */
const NUMBER_STEP = 663_608_942

let numbers = 0

/** Returns an unused Egyptian mobile number, which registers without a code. */
export function newPhone(): string {
  return `010${String((++numbers * NUMBER_STEP) % 100_000_000).padStart(8, '0')}`
}

/** Returns a name that differs from call to call. */
export function newName(): string {
  return `نوف الشهري ${letters()}`
}

export function registration(): Sent & { form: { email: string; phone: string } } {
  const [email, phone] = [`load-${++numbers}@example.org`, newPhone()]
  const form = { account_type: 'client', name: 'نوف الشهري', email, password: PASSWORD, phone, phone_code: '20' }
  return { method: 'POST', path: '/api/v1/auth/register', form }
}

export function login({ email }: Pick<Account, 'email'>, password = PASSWORD): Sent {
  return { method: 'POST', path: '/api/v1/auth/login', json: { email, password } }
}

export function refresh({ refreshToken }: Account): Sent {
  return { method: 'POST', path: '/api/v1/auth/refresh', json: { refresh_token: refreshToken } }
}

export function checkPhone(phone: string): Sent {
  return { method: 'POST', path: '/api/v1/auth/check-phone', json: { phone_code: '20', phone } }
}

/** An update of all 13 text fields of a client, or of those of a lawyer */
export function update(account: Account, type: 'client' | 'lawyer', files: Record<string, Blob> = {}): Sent {
  const { token, phone } = account
  const given = { phone_code: '20', ...files }
  const form =
    type === 'client'
      ? clientForm(account, { name: newName(), ...given })
      : lawyerForm(account, {
          about: `محامٍ ${letters()}`,
          national_id: `1${phone.slice(-9)}`, // another one would need another image
          national_id_image: [],
          degree_certificate: [],
          ...given,
        })
  return { method: 'PUT', path: '/api/v1/profile', token, form }
}

/** Returns a word that differs from call to call. */
function letters(): string {
  return [...String(++numbers)].map((digit) => String.fromCodePoint(0x628 + Number(digit))).join('')
}
