// What the walk requires of a generated client, and the values that it sends.

export type Tokens = { token: string; refresh: string }

export type Client = {
  logIn: () => Promise<Tokens>
  refresh: (refreshToken: string) => Promise<Tokens>
  /** Updates the profile with a photo. Returns the link of the stored photo. */
  update: (token: string, photo: Blob) => Promise<string | null>
  /** Sends `INVALID_FORM`. Returns the codes of the 422, by field. */
  reject: (token: string) => Promise<Record<string, string[]> | undefined>
  download: (token: string, fileId: string) => Promise<Blob>
}

/** A demo account */
export const CREDENTIALS = { email: 'client@demo.test', password: 'Tawthiq-demo-1' }

export const FORM = {
  account_type: 'client' as const,
  name: 'سارة العتيبي',
  email: 'client@demo.test',
  phone: '500000001',
  phone_code: '966',
  country_id: 682,
  region_id: 1,
  city_id: 1,
  nationality_id: 682,
  type: 1 as const,
  gender: 'Female' as const,
  longitude: 46.6753,
  latitude: 24.7136,
}

export const INVALID_FORM = { ...FORM, city_id: 2147483647 }

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** Returns the tokens of a login or of a refresh. */
export function tokensIn(data: { account: { token: string }; session: { refresh_token: string } }): Tokens {
  return { token: data.account.token, refresh: data.session.refresh_token }
}
