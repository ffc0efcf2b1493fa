// The rows of a profile. A new field does not compile until it has a column and is written here.
import type { Account, LawyerProfile, Prisma, Profile as PersonModel } from '../../../generated/prisma/client.ts'
import type { LawyerDetails, Names, Person, ProfileChange } from '../../domain/profiles/profile.ts'

/** The fields with the types of their columns. A field without a column has the type never, so it does not compile. */
export type Written<Fields, Model> = { [Field in keyof Fields]-?: Field extends keyof Model ? Model[Field] : never }

/** The fields of an account that every update writes. The phone number and the password have statements of their own. */
export type AccountFields = Omit<ProfileChange['account'], 'phone' | 'passwordHash'>

export function toAccountRow({ accountType }: AccountFields): Written<AccountFields, Account> {
  return { accountType }
}

/** The columns have the names of the fields. */
export function toPersonRow(person: Person): Written<Person, PersonModel> {
  return person
}

export function toNamesRow({ firstName, secondName, thirdName, fourthName }: Names): Written<Names, LawyerProfile> {
  return { firstName, secondName, thirdName, fourthName }
}

/** The columns of a lawyer. Licences and languages have separate tables. */
type LawyerColumns = Omit<LawyerDetails, 'licences' | 'languages'>

export function toLawyerRow(lawyer: LawyerColumns): Written<LawyerColumns, LawyerProfile> {
  const { year, month, day } = lawyer.birthDate
  return {
    ...toNamesRow(lawyer),
    about: lawyer.about,
    nationalId: lawyer.nationalId,
    identityType: lawyer.identityType,
    birthDate: new Date(Date.UTC(year, month - 1, day)),
    degreeId: lawyer.degreeId,
    otherDegree: lawyer.otherDegree,
    generalSpecialtyId: lawyer.generalSpecialtyId,
    accurateSpecialtyId: lawyer.accurateSpecialtyId,
    functionalCaseId: lawyer.functionalCaseId,
    companyName: lawyer.companyName,
    companyLicencesNo: lawyer.companyLicencesNo,
  }
}

/** Returns the data of a lawyer for a new account. */
export function toNewLawyer({
  licences,
  languages,
  ...lawyer
}: LawyerDetails): Prisma.LawyerProfileUncheckedCreateWithoutAccountInput {
  return {
    ...toLawyerRow(lawyer),
    licences: { create: Object.entries(licences).map(([id, licenceNo]) => ({ sectionId: Number(id), licenceNo })) },
    languages: { create: languages.map((languageId) => ({ languageId })) },
  }
}
