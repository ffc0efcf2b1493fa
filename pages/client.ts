// Everything that connects these pages to the SDK.
import { createTawthiq, type Call } from '@tawthiq/sdk'
import { createFactors } from '@tawthiq/sdk/factors'
import { createPasskeys } from '@tawthiq/sdk/passkeys'
import { webStore } from '@tawthiq/sdk/web'
import { language } from './language.ts'
import { askPassword, type Proof } from './password-dialog.ts'
import { serviceUrl } from './settings.ts'

export const tawthiq = createTawthiq({ url: serviceUrl, store: webStore(), language })
export const factors = createFactors(tawthiq)
export const passkeys = createPasskeys(tawthiq)

/**
 * Makes a call. If it needs recent authentication, asks for the password and makes it once more.
 *
 * @param given the password, if the user has typed it already
 */
export async function confirmed<Data>(call: () => Call<Data>, given?: Proof): Promise<Data> {
  const result = await call().result()
  if (result.ok) return result.data
  if (result.error.code !== 'reauthentication_required') throw result.error
  if (!(await reauthenticate(given ?? (await askPassword())))) throw result.error
  return call()
}

/** Asks for a code if the account has a second factor. Resolves to false if the user cancels. */
async function reauthenticate(proof: Proof | null): Promise<boolean> {
  if (proof === null) return false
  const result = await tawthiq.auth.reauthenticate({ method: 'password', ...proof }).result()
  if (result.ok) return true
  if (result.error.code !== 'mfa_required') throw result.error
  return reauthenticate(await askPassword(proof))
}
