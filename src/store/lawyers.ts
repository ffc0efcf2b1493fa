import type { Prisma } from '../../generated/prisma/client.ts'
import type { LawyerDetails } from '../domain/profile.ts'

/** Writes what a lawyer says: the rows of licences and languages are those of the details and no others. */
export async function writeLawyer(
  transaction: Prisma.TransactionClient,
  accountId: number,
  { birthDate: { day, month, year }, licences, languages, ...details }: LawyerDetails,
): Promise<void> {
  const data = { ...details, birthDate: new Date(Date.UTC(year, month - 1, day)) }
  await transaction.lawyerProfile.upsert({ where: { accountId }, create: { accountId, ...data }, update: data })

  await transaction.lawyerLicence.deleteMany({ where: { accountId } })
  await transaction.lawyerLicence.createMany({
    data: Object.entries(licences).map(([id, licenceNo]) => ({ accountId, sectionId: Number(id), licenceNo })),
  })
  await transaction.lawyerLanguage.deleteMany({ where: { accountId } })
  await transaction.lawyerLanguage.createMany({ data: languages.map((languageId) => ({ accountId, languageId })) })
}
