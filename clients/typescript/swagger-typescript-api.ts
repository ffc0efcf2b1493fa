import { bearer, CREDENTIALS, FORM, INVALID_FORM, tokensIn, type Client } from './client.ts'
import { Api, type ErrorResponse, type HttpResponse, type ValidationErrorResponse } from './generated/api.ts'

type Rejection = HttpResponse<unknown, ErrorResponse | ValidationErrorResponse>

export function open(origin: string): Client {
  const { api } = new Api({ baseUrl: origin })
  return {
    logIn: async () => tokensIn((await api.login(CREDENTIALS)).data.data),
    refresh: async (refresh) => tokensIn((await api.refreshToken({ refresh_token: refresh })).data.data),
    update: async (token, photo) => {
      const form = { ...FORM, profile_photo: photo as File }
      return (await api.updateProfile(form, { headers: bearer(token) })).data.data.user.profile_photo
    },
    reject: async (token) => {
      const rejected = await api
        .updateProfile(INVALID_FORM, { headers: bearer(token) })
        .catch((error: Rejection) => error)
      return rejected.error?.code === 422 ? rejected.error.data.codes : undefined
    },
    download: async (token, fileId) => {
      const { data } = await api.getFile(fileId, {}, { headers: bearer(token), format: 'blob' })
      return data
    },
  }
}
