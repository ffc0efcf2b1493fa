// The people of the loads, their photos and their requests, each of another account or phone number, so that no limit applies.
import sharp from 'sharp'
import { clientForm, lawyerForm } from '../../test/support/accounts/profile-forms.ts'
import { sendValid, type Sent } from './send.ts'

/** A user of a load */
export type Person = {
  email: string
  phone: string
  token: string
  refreshToken: string
  /** The path of the link to the photo, which expires */
  link?: { path: string; atMs: number } | undefined
}

const PASSWORD = 'olive-harbour-58-lantern'
/** 2^30 / the golden ratio: consecutive numbers are far apart, because neighbouring ones share a limit. */
const NUMBER_STEP = 663_608_942
const [WIDTH_MIN, WIDTHS] = [200, 3000]

let numbers = 0
let photos = 0

/** Registers an account whose profile is complete. */
export async function newProfile(
  origin: string,
  type: 'client' | 'lawyer' = 'client',
  files: Record<string, Blob> = {},
): Promise<Person> {
  const sent = registration()
  const { email, phone } = sent.form
  const account = { email, phone, ...tokensIn(await sendValid(origin, sent)) }
  await sendValid(origin, update(account, type, files))
  return account
}

export async function newProfileWithPhoto(origin: string): Promise<Person> {
  const { photo } = await newPhoto()
  return newProfile(origin, 'client', { profile_photo: photo })
}

/** Returns a photo whose width identifies it, also after it has been converted. */
export async function newPhoto(): Promise<{ photo: Blob; width: number }> {
  const width = WIDTH_MIN + (++photos % WIDTHS)
  const image = sharp({ create: { width, height: 60, channels: 3, background: 'teal' } })
  return { photo: toBlob(await image.jpeg().toBuffer()), width }
}

/** Creates a photo of about 1 MB. */
export async function largePhoto(): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const image = sharp({ create: { width: 1600, height: 1200, channels: 3, background: 'red', noise } })
  return toBlob(await image.jpeg({ quality: 85 }).toBuffer())
}

function toBlob(bytes: Buffer): Blob {
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
}

/** Returns the tokens of a new session. */
export function tokensIn(data: unknown): Pick<Person, 'token' | 'refreshToken'> {
  const { account, session } = data as { account: { token: string }; session: { refresh_token: string } }
  return { token: account.token, refreshToken: session.refresh_token }
}

/** Returns the path of the link to the photo of a profile. */
export function photoPathOf(data: unknown): string {
  const { profile_photo: link } = (data as { user: { profile_photo: string } }).user
  const { pathname, search } = new URL(link, 'http://localhost')
  return pathname + search
}

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

export function login({ email }: Pick<Person, 'email'>, password = PASSWORD): Sent {
  return { method: 'POST', path: '/api/v1/auth/login', json: { email, password } }
}

export function refresh({ refreshToken }: Person): Sent {
  return { method: 'POST', path: '/api/v1/auth/refresh', json: { refresh_token: refreshToken } }
}

export function checkPhone(phone: string): Sent {
  return { method: 'POST', path: '/api/v1/auth/check-phone', json: { phone_code: '20', phone } }
}

/** An update of all 13 text fields of a client, or of those of a lawyer */
export function update(account: Person, type: 'client' | 'lawyer', files: Record<string, Blob> = {}): Sent {
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
