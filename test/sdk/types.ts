// The types of the SDK: this file fails to compile if a line after `@ts-expect-error` has no error.
import { isTawthiqError, type Download, type ErrorCodes, type Tawthiq, type TawthiqError } from '@tawthiq/sdk'
import { toForm } from '@tawthiq/sdk/forms'
import type { Passkeys } from '@tawthiq/sdk/passkeys'
import type { WebhookEvent } from '@tawthiq/sdk/webhooks'

export async function wrongUse({ auth, profile, lookups, files, operation }: Tawthiq): Promise<void> {
  // @ts-expect-error the password is missing
  await auth.login({ email: 'client@demo.test' })

  // @ts-expect-error the document has no such field
  await auth.login({ email: 'client@demo.test', password: 'x', remember: true })

  // @ts-expect-error a required field cannot be cleared
  await profile.update({ account_type: 'client', name: null })

  // @ts-expect-error there is no such filter
  await lookups.cities({ continent: 1 })

  // @ts-expect-error there is no such operation
  await operation('deleteEverything', undefined)

  // @ts-expect-error the module of administrators has this operation
  await operation('adminListUsers', undefined)

  // @ts-expect-error required files cannot be deleted
  await files.delete('national_id_image')
}

/** Codes of errors are those of the operation and of the SDK. */
export async function wrongCodes({ auth }: Tawthiq, caught: unknown): Promise<unknown[]> {
  const confirmed = await auth.confirmPhone({ phone_code: '966', phone: '0512345678', otp: '123456' }).result()
  if (confirmed.ok) return []
  const { error } = confirmed
  const wrong: unknown[] = [
    // @ts-expect-error the code is misspelt
    error.code === 'otp_wrnog',
    // @ts-expect-error another operation has this code
    error.code === 'credentials_wrong',
    // @ts-expect-error the form has no such field
    error.fields.fone,
    // @ts-expect-error another form has this field
    error.fields.license_no,
    // @ts-expect-error the code of a field is misspelt
    error.fields.phone?.[0]?.code === 'phone_takne',
    // @ts-expect-error the code is misspelt, in an error of any operation
    isTawthiqError(caught) && caught.code === 'reauthentication_requierd',
    // @ts-expect-error another operation has this code
    isTawthiqError(caught, 'login') && caught.code === 'otp_wrong',
    // @ts-expect-error no operation has this field
    isTawthiqError(caught) && caught.fields.fone,
  ]
  return wrong
}

/** A switch can be exhaustive: a code without a case does not compile. */
export function sentenceOf({ code }: TawthiqError<'getJwks'>): string {
  switch (code) {
    case 'malformed_request':
    case 'unexpected':
    case 'shutting_down':
      return 'of the operation'
    case 'network':
    case 'timeout':
    case 'aborted':
      return 'of the SDK'
    case 'unknown':
      return 'of a later version of the service'
  }
}

// @ts-expect-error a case is missing
export function incomplete({ code }: TawthiqError<'getJwks'>): string {
  // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- the compiler must notice it
  switch (code) {
    case 'unexpected':
      return 'of the operation'
  }
}

export async function rightUse({ auth, account, profile, lookups, operation }: Tawthiq): Promise<void> {
  const { user } = await profile.get()
  const id: number = user.id
  await profile.update({ ...toForm(user), profile_photo: new Blob([]) })
  await profile.update({
    ...toForm(user),
    profile_photo: { uri: 'file:///photo.png', name: 'photo.png', type: 'image/png' },
  })
  if (user.account_type === 'lawyer') await profile.update({ ...toForm(user), third_name: null, sections: [] })
  const archive: Download = await account.export()
  const result = await auth.login({ email: 'client@demo.test', password: 'x' }).result()
  if (!result.ok && result.error.code === 'credentials_wrong') await lookups.cities({ region_id: id })
  if (result.ok) await operation('revokeSession', undefined, { path: { session_id: archive.name } })
}

/** Errors of fields have the names of the form, of members of its fields, and of the whole body. */
export async function fieldErrors({ profile, auth }: Tawthiq): Promise<string[]> {
  const updated = await profile.update(new FormData()).result()
  if (updated.ok) return []
  const { fields } = updated.error
  const texts = [fields.name, fields.license_no, fields['license_no.101'], fields.body].map(
    (errors) => errors?.[0]?.text,
  )
  for (const [name, errors] of Object.entries(fields)) texts.push(name, ...errors.map(({ text }) => text))
  const code: ErrorCodes<'login'> = 'credentials_wrong'
  const sent = await auth.checkPhone({ phone_code: '966', phone: '0512345678' }).result()
  if (!sent.ok) texts.push(code, sent.error.fields['idempotency-key']?.[0]?.text)
  return texts.filter((text) => text !== undefined)
}

export async function passkeyErrors(passkeys: Passkeys, { auth }: Tawthiq): Promise<unknown[]> {
  const login = await passkeys.login({ autofill: true }).result()
  if (login.ok) return [login.data.account.email]
  const { error } = login
  return [
    error.code === 'credentials_wrong' || error.code === 'passkeys_unavailable',
    error.methods.includes('passkey'),
    error.code === 'cancelled',
    // @ts-expect-error the code is misspelt
    error.code === 'canceled',
    // @ts-expect-error no dialog of the browser is open
    await auth.logout().catch((caught: unknown) => isTawthiqError(caught, 'logout') && caught.code === 'cancelled'),
    // @ts-expect-error there is no such factor
    error.methods.includes('sms'),
    // @ts-expect-error another operation has this code
    error.code === 'passkey_unknown',
    // @ts-expect-error the name is missing
    passkeys.add(),
  ]
}

export function webhooks(event: WebhookEvent): unknown {
  switch (event.type) {
    case 'account.registered':
      return event.data.account_type
    case 'lawyer.reviewed':
      return event.data.review_status === 'approved'
    case 'unknown':
      return event.word
    case 'profile.updated':
      // @ts-expect-error this event has no such member
      return event.data.phone_verified
    // @ts-expect-error the type is misspelt
    case 'acount.deleted':
      return undefined
    case 'account.deleted':
    case 'account.suspended':
    case 'account.restored':
    case 'phone.confirmed':
      return event.data.account_id
  }
}
