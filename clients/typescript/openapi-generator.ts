import { CREDENTIALS, FORM, INVALID_FORM, type Client, type Tokens } from './client.ts'
import {
  AuthenticationApi,
  Configuration,
  FilesApi,
  ProfileApi,
  ResponseError,
  SessionsApi,
  type UpdateProfileRequest,
} from './generated/index.ts'

type Given = { account: { token: string }; session: { refreshToken: string } }

export function open(origin: string): Client {
  const as = (accessToken = ''): Configuration => new Configuration({ basePath: origin, accessToken })
  const tokensOf = ({ account, session }: Given): Tokens => ({ token: account.token, refresh: session.refreshToken })
  return {
    logIn: async () => tokensOf((await new AuthenticationApi(as()).login({ loginRequest: CREDENTIALS })).data),
    refresh: async (refreshToken) =>
      tokensOf((await new SessionsApi(as()).refreshToken({ refreshTokenRequest: { refreshToken } })).data),
    update: async (token, profilePhoto) =>
      (await new ProfileApi(as(token)).updateProfile({ ...namesOf(FORM), profilePhoto })).data.user.profilePhoto,
    reject: async (token) => {
      const rejected: unknown = await new ProfileApi(as(token))
        .updateProfile(namesOf(INVALID_FORM))
        .catch((error) => error)
      if (!(rejected instanceof ResponseError) || rejected.response.status !== 422) return undefined
      return ((await rejected.response.json()) as { data: { codes: Record<string, string[]> } }).data.codes
    },
    download: async (token, fileId) => new FilesApi(as(token)).getFile({ fileId }),
  }
}

function namesOf(form: typeof FORM): UpdateProfileRequest {
  const { account_type, phone_code, country_id, region_id, city_id, nationality_id, longitude, latitude, ...others } =
    form
  return {
    ...others,
    accountType: account_type,
    phoneCode: phone_code,
    countryId: country_id,
    regionId: region_id,
    cityId: city_id,
    nationalityId: nationality_id,
    longitude: String(longitude),
    latitude: String(latitude),
  }
}
