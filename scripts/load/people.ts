import { newPhoto } from './images.ts'
import { registration, update, type Account } from './requests.ts'
import { sendValid } from './send.ts'

/** A user of a load */
export type Person = Account & {
  /** The path of the link to the photo, which expires */
  link?: { path: string; atMs: number } | undefined
}

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

/** Returns the tokens of a new session. */
export function tokensIn(data: unknown): Pick<Account, 'token' | 'refreshToken'> {
  const { account, session } = data as { account: { token: string }; session: { refresh_token: string } }
  return { token: account.token, refreshToken: session.refresh_token }
}

/** Returns the path of the link to the photo of a profile. */
export function photoPathOf(data: unknown): string {
  const { profile_photo: link } = (data as { user: { profile_photo: string } }).user
  const { pathname, search } = new URL(link, 'http://localhost')
  return pathname + search
}
