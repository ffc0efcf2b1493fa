import { bearer, CREDENTIALS, FORM, INVALID_FORM, tokensIn, type Client } from './client.ts'
import { getFile } from './generated/clients/getFile.ts'
import { login } from './generated/clients/login.ts'
import { refreshToken } from './generated/clients/refreshToken.ts'
import { updateProfile } from './generated/clients/updateProfile.ts'
import type { Client as Request } from './generated/.kubb/fetch.ts'

export function open(origin: string): Client {
  const client = requestTo(origin)
  const authorized = (token: string): { client: Request; headers: Record<string, string> } => ({
    client,
    headers: bearer(token),
  })
  return {
    logIn: async () => tokensIn((await login(CREDENTIALS, undefined, { client })).data.data),
    refresh: async (refresh) =>
      tokensIn((await refreshToken({ refresh_token: refresh }, undefined, { client })).data.data),
    update: async (token, photo) => {
      const { data } = await updateProfile({ ...FORM, profile_photo: photo }, undefined, authorized(token))
      return data.data.user.profile_photo
    },
    reject: async (token) => {
      const { data, status } = await updateProfile(INVALID_FORM, undefined, authorized(token))
      return status === 422 ? (data as unknown as { data: { codes: Record<string, string[]> } }).data.codes : undefined
    },
    download: async (token, fileId) => (await getFile(fileId, undefined, undefined, authorized(token))).data,
  }
}

/** A custom client: the generated one reads every response as JSON. */
function requestTo(origin: string): Request {
  return async <TData>({ url = '', method = 'GET', data, headers = {} }: Parameters<Request>[0]) => {
    const body = data === undefined || data instanceof FormData ? data : JSON.stringify(data)
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    const given = Object.entries(headers as Record<string, string | undefined>)
    const sent = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
    const response = await fetch(origin + url, {
      method,
      body: body ?? null,
      headers: { ...type, ...Object.fromEntries(sent) },
    })
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const result = (isJson ? await response.json() : await response.blob()) as TData
    return { data: result, status: response.status, statusText: response.statusText, headers: response.headers }
  }
}
