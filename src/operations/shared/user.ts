import type { Context } from '../../context.ts'
import type { Data } from '../../contract.ts'
import type { AccountType } from '../../domain/account.ts'
import type { FileKind } from '../../domain/file.ts'
import { nationalNumber } from '../../domain/phone.ts'
import { isComplete, type Lawyer, type Profile } from '../../domain/profile.ts'

type User = Data<'getProfile'>['user']
type ClientUser = Extract<User, { account_type: 'client' }>
type LawyerUser = Extract<User, { account_type: 'lawyer' }>

/** A link to a file, null where there is none. */
type LinkTo = (kind: FileKind) => string | null

/** The wire form of a profile. */
export function userOf(profile: Profile, fileLinks: Context['fileLinks']): User {
  return userWith(profile, (kind) => {
    const id = profile.files[kind]
    return id === undefined ? null : fileLinks.linkTo({ id, kind })
  })
}

export function userWith(profile: Profile, linkTo: LinkTo): User {
  return profile.accountType === 'client' ? personOf(profile, 'client', linkTo) : lawyerUserOf(profile, linkTo)
}

/** The profile as a lawyer, also of an account that is a client's. */
export function lawyerUserOf(profile: Profile, linkTo: LinkTo): LawyerUser {
  return { ...personOf(profile, 'lawyer', linkTo), ...lawyerOf(profile.lawyer, linkTo) }
}

type Person<Type> = Omit<ClientUser, 'account_type'> & { account_type: Type }

function personOf<Type extends AccountType>(profile: Profile, accountType: Type, linkTo: LinkTo): Person<Type> {
  const { phone, phoneCode } = profile
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
    profile_photo: linkTo('profile_photo'),
    phone_verified: profile.phoneVerified,
    email_verified: profile.emailVerified,
    pending_email: profile.pendingEmail,
    profile_complete: isComplete({ ...profile, accountType }),
    deletion_due_at: profile.deletionDueAt?.toISOString() ?? null,
  }
}

/** What a lawyer has not given yet is null. */
function lawyerOf(lawyer: Lawyer | undefined, linkTo: LinkTo): Omit<LawyerUser, keyof ClientUser> {
  return {
    first_name: lawyer?.firstName ?? null,
    second_name: lawyer?.secondName ?? null,
    third_name: lawyer?.thirdName ?? null,
    fourth_name: lawyer?.fourthName ?? null,
    about: lawyer?.about ?? null,
    national_id: lawyer?.nationalId ?? null,
    identity_type: lawyer?.identityType ?? null,
    day: lawyer?.birthDate?.day ?? null,
    month: lawyer?.birthDate?.month ?? null,
    year: lawyer?.birthDate?.year ?? null,
    degree: lawyer?.degreeId ?? null,
    other_degree: lawyer?.otherDegree ?? null,
    general_specialty: lawyer?.generalSpecialtyId ?? null,
    accurate_specialty: lawyer?.accurateSpecialtyId ?? null,
    functional_cases: lawyer?.functionalCaseId ?? null,
    languages: [...(lawyer?.languages ?? [])],
    sections: Object.keys(lawyer?.licences ?? {}).map(Number),
    license_no: { ...lawyer?.licences },
    company_name: lawyer?.companyName ?? null,
    company_licences_no: lawyer?.companyLicencesNo ?? null,
    national_id_image: linkTo('national_id_image'),
    degree_certificate: linkTo('degree_certificate'),
    company_license_file: linkTo('company_license_file'),
    cv_file: linkTo('cv_file'),
    logo: linkTo('logo'),
    review_status: lawyer?.reviewStatus ?? 'pending',
    review_reason: lawyer?.reviewReason ?? null,
  }
}
