import { bearer, CREDENTIALS, FORM, INVALID_FORM, tokensIn, type Client } from './client.ts'
import { defaults, getFile, login, refreshToken, updateProfile } from './generated/client.ts'

export function open(origin: string): Client {
  defaults.baseUrl = origin
  return {
    logIn: async () => {
      const response = await login(CREDENTIALS)
      if (response.status !== 200) throw new Error(response.data.message)
      return tokensIn(response.data.data)
    },
    refresh: async (refresh) => {
      const response = await refreshToken({ refresh_token: refresh })
      if (response.status !== 200) throw new Error(response.data.message)
      return tokensIn(response.data.data)
    },
    update: async (token, photo) => {
      const response = await updateProfile({ ...FORM, profile_photo: photo }, {}, { headers: bearer(token) })
      if (response.status !== 200) throw new Error(response.data.message)
      return response.data.data.user.profile_photo
    },
    reject: async (token) => {
      const response = await updateProfile(INVALID_FORM, {}, { headers: bearer(token) })
      return response.status === 422 ? response.data.data.codes : undefined
    },
    download: async (token, fileId) => {
      const response = await getFile(fileId, {}, { headers: bearer(token) })
      if (response.status !== 200) throw new Error(response.data.message)
      return new Blob([response.data])
    },
  }
}
