import { bearer, CREDENTIALS, FORM, INVALID_FORM, tokensIn, type Client } from './client.ts'
import { getFile, login, refreshToken, updateProfile } from './generated/client.ts'
import { setOrigin } from './orval-fetch.ts'

export function open(origin: string): Client {
  setOrigin(origin)
  return {
    logIn: async () => {
      const { status, data } = await login(CREDENTIALS)
      if (status !== 200) throw new Error(data.message)
      return tokensIn(data.data)
    },
    refresh: async (refresh) => {
      const { status, data } = await refreshToken({ refresh_token: refresh })
      if (status !== 200) throw new Error(data.message)
      return tokensIn(data.data)
    },
    update: async (token, photo) => {
      const { status, data } = await updateProfile({ ...FORM, profile_photo: photo }, { headers: bearer(token) })
      if (status !== 200) throw new Error(data.message)
      return data.data.user.profile_photo
    },
    reject: async (token) => {
      const { status, data } = await updateProfile(INVALID_FORM, { headers: bearer(token) })
      return status === 422 ? data.data.codes : undefined
    },
    download: async (token, fileId) => {
      const { status, data } = await getFile(fileId, {}, { headers: bearer(token) })
      if (status !== 200) throw new Error(`status ${status}`)
      return data
    },
  }
}
