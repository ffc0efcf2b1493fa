// Everything that connects this page to the SDK.
import { createTawthiq, type Call, type TawthiqError } from '@tawthiq/sdk'
import { webStore } from '@tawthiq/sdk/web'
import { language } from './language.ts'
import { askPassword } from './password-dialog.ts'

const { VITE_API_URL: url = 'http://localhost:3000' } = import.meta.env

export const tawthiq = createTawthiq({ url, store: webStore(), language })

/** Makes a call. If it needs recent authentication, asks for the password and makes it once more. */
export async function confirmed<Data>(call: () => Call<Data>): Promise<Data> {
  const result = await call().result()
  if (result.ok) return result.data
  if (result.error.code !== 'reauthentication_required') throw result.error
  const password = await askPassword()
  if (password === null) throw result.error
  await tawthiq.auth.reauthenticate({ method: 'password', password })
  return call()
}

/** Returns the fields of a form as the body of an operation, which validates them. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller says what it takes
export function bodyOf<Body>(form: HTMLFormElement): Body {
  const filled = [...new FormData(form)].filter(([, value]) => value !== '')
  return Object.fromEntries(filled) as Body
}

export type { TawthiqError }
