import type { Data, Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { nationalNumber } from '../domain/phone.ts'
import type { Profile } from '../domain/profile.ts'

export const getProfile: Operation<'getProfile'> = async ({ bearer, reply }, { store }) => {
  const profile = await store.sessions.profile(bearer)
  if (!profile) throw new Failure('token_revoked')

  return reply('profile_read', { user: userOf(profile) })
}

/** The wire form of a profile. */
function userOf(profile: Profile): Data<'getProfile'>['user'] {
  const { accountType, phone, phoneCode } = profile
  return {
    id: profile.id,
    name: profile.name,
    email: profile.email,
    phone: nationalNumber({ e164: phone, callingCode: phoneCode }),
    phone_code: phoneCode,
    account_type: accountType,
    gender: profile.gender,
    region_id: profile.regionId,
    country_id: profile.countryId,
    city_id: profile.cityId,
    type: profile.type,
    longitude: profile.longitude,
    latitude: profile.latitude,
    nationality_id: profile.nationalityId,
    profile_photo: null,
    phone_verified: profile.phoneVerified,
  }
}
