import type { components } from '../../generated/types.ts'
import type { Account } from './account.ts'

type User = components['schemas']['User']

export type Profile = Account &
  Readonly<{
    name: string
    phone: string
    phoneCode: string
    phoneVerified: boolean
    gender: User['gender']
    countryId: number
    regionId: number
    cityId: number
    nationalityId: number
    type: User['type']
    longitude: number
    latitude: number
  }>
