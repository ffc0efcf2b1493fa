import { FormData } from 'undici'
import sharp from 'sharp'
import { registration, update, type Account } from '../bench/requests.ts'

/** The password of the accounts that `registration` creates */
export const PASSWORD = 'olive-harbour-58-lantern'

const WIDTH_MIN = 200
const WIDTHS = 3000
const HEIGHT = 60
const ARABIC_LETTERS = 0x628

let numbers = 0

/** Returns a name that differs from call to call. */
export function newName(): string {
  const word = [...String(++numbers)].map((digit) => String.fromCodePoint(ARABIC_LETTERS + Number(digit))).join('')
  return `نوف ${word}`
}

/** Returns a photo whose width identifies it, also after it has been converted. */
export async function newPhoto(): Promise<{ bytes: Buffer; width: number }> {
  const width = WIDTH_MIN + (++numbers % WIDTHS)
  const bytes = await sharp({ create: { width, height: HEIGHT, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  return { bytes, width }
}

/** Returns the form of an update with a photo. */
export function profileForm(account: Account, photo: Buffer): FormData {
  const { form = {} } = update(account, 'client')
  const data = toFormData(form)
  data.append('profile_photo', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg')
  return data
}

/** Returns the path of the link to the photo of a profile. */
export function photoPathOf(data: unknown): string {
  const { profile_photo: link } = (data as { user: { profile_photo: string } }).user
  const { pathname, search } = new URL(link, 'http://localhost')
  return pathname + search
}

export function registrationForm(): { form: FormData; email: string } {
  const { form } = registration()
  return { form: toFormData(form), email: form.email }
}

function toFormData(fields: object): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, String(value))
  return data
}
