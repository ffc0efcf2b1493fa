// The types of the SDK: this file fails to compile if a line after `@ts-expect-error` has no error.
import { toForm, type Download, type Tawthiq } from '@tawthiq/sdk'

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

  // @ts-expect-error required files cannot be deleted
  await files.delete('national_id_image')
}

export async function rightUse({ auth, account, profile, lookups, operation }: Tawthiq): Promise<void> {
  const { user } = await profile.get()
  const id: number = user.id
  await profile.update({ ...toForm(user), profile_photo: new Blob([]) })
  if (user.account_type === 'lawyer') await profile.update({ ...toForm(user), third_name: null, sections: [] })
  const archive: Download = await account.export()
  const result = await auth.login({ email: 'client@demo.test', password: 'x' }).result()
  if (!result.ok && result.error.code === 'credentials_wrong') await lookups.cities({ region_id: id })
  if (result.ok) await operation('revokeSession', undefined, { path: { session_id: archive.name } })
}
