import createClient from 'openapi-fetch'
import { bearer, CREDENTIALS, FORM, INVALID_FORM, tokensIn, type Client } from './client.ts'
import { formDataOf } from './form-data.ts'
import type { paths } from './generated/schema.ts'

/** The types say `string` for a file. */
const asFile = (blob: Blob): string => blob as unknown as string

export function open(origin: string): Client {
  const client = createClient<paths>({ baseUrl: origin })
  const serialized = { bodySerializer: formDataOf }
  return {
    logIn: async () => {
      const { data } = await client.POST('/api/v1/auth/login', { body: CREDENTIALS })
      if (!data) throw new Error('no data')
      return tokensIn(data.data)
    },
    refresh: async (refresh) => {
      const { data } = await client.POST('/api/v1/auth/refresh', { body: { refresh_token: refresh } })
      if (!data) throw new Error('no data')
      return tokensIn(data.data)
    },
    update: async (token, photo) => {
      const body = { ...FORM, profile_photo: asFile(photo) }
      const { data } = await client.PUT('/api/v1/profile', { body, headers: bearer(token), ...serialized })
      return data?.data.user.profile_photo ?? null
    },
    reject: async (token) => {
      const given = { body: INVALID_FORM, headers: bearer(token), ...serialized }
      const { error } = await client.PUT('/api/v1/profile', given)
      return error?.code === 422 ? error.data.codes : undefined
    },
    download: async (token, fileId) => {
      const params = { path: { file_id: fileId } }
      const { data } = await client.GET('/api/v1/files/{file_id}', { params, headers: bearer(token), parseAs: 'blob' })
      if (!data) throw new Error('no data')
      return data
    },
  }
}
