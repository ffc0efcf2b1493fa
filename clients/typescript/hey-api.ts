import { CREDENTIALS, FORM, INVALID_FORM, tokensIn, type Client } from './client.ts'
import { client } from './generated/client.gen.ts'
import { getFile, login, refreshToken, updateProfile } from './generated/sdk.gen.ts'

export function open(origin: string): Client {
  client.setConfig({ baseUrl: origin })
  return {
    logIn: async () => tokensIn((await login({ body: CREDENTIALS, throwOnError: true })).data.data),
    refresh: async (refresh) =>
      tokensIn((await refreshToken({ body: { refresh_token: refresh }, throwOnError: true })).data.data),
    update: async (token, photo) => {
      const { data } = await updateProfile({ auth: token, body: { ...FORM, profile_photo: photo }, throwOnError: true })
      return data.data.user.profile_photo
    },
    reject: async (token) => {
      const { error } = await updateProfile({ auth: token, body: INVALID_FORM })
      return error?.code === 422 ? error.data.codes : undefined
    },
    download: async (token, fileId) =>
      (await getFile({ auth: token, path: { file_id: fileId }, parseAs: 'blob', throwOnError: true })).data,
  }
}
