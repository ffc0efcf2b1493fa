import type { Prisma } from '../../../generated/prisma/client.ts'
import type { FileKind } from '../../domain/files/file.ts'
import type { BirthDate, LawyerDetails } from '../../domain/profiles/profile.ts'
import { toLawyerRow } from './rows.ts'
import { needsReview, type Reviewed } from '../../domain/profiles/review.ts'

/**
 * Writes the data of a lawyer in the transaction that has locked the account. Licences and languages are replaced. A
 * change of reviewed fields makes the lawyer pending again.
 *
 * @param newFiles the kinds of the files that the change adds or replaces
 */
export async function writeLawyer(
  transaction: Prisma.TransactionClient,
  accountId: number,
  lawyer: LawyerDetails,
  newFiles: readonly FileKind[] = [],
): Promise<void> {
  const { licences, languages } = lawyer
  const before = await readReviewed(transaction, accountId)
  const isPending = before !== undefined && needsReview(before, lawyer, newFiles)
  const data = toLawyerRow(lawyer)
  await transaction.lawyerProfile.upsert({
    where: { accountId },
    create: { accountId, ...data },
    update: { ...data, ...(isPending && PENDING) },
  })

  await transaction.lawyerLicence.deleteMany({ where: { accountId } })
  await transaction.lawyerLicence.createMany({
    data: Object.entries(licences).map(([id, licenceNo]) => ({ accountId, sectionId: Number(id), licenceNo })),
  })
  await transaction.lawyerLanguage.deleteMany({ where: { accountId } })
  await transaction.lawyerLanguage.createMany({ data: languages.map((languageId) => ({ accountId, languageId })) })
}

const PENDING = { reviewStatus: 'pending', reviewReason: null, reviewVersion: { increment: 1 } } as const

async function readReviewed(transaction: Prisma.TransactionClient, accountId: number): Promise<Reviewed | undefined> {
  const row = await transaction.lawyerProfile.findUnique({ where: { accountId }, include: { licences: true } })
  if (!row) return undefined
  return {
    ...row,
    identityType: row.identityType as Reviewed['identityType'], // requests are validated by the OpenAPI document
    birthDate: row.birthDate && toBirthDate(row.birthDate),
    licences: Object.fromEntries(row.licences.map(({ sectionId, licenceNo }) => [sectionId, licenceNo])),
  }
}

function toBirthDate(date: Date): BirthDate {
  return { day: date.getUTCDate(), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() }
}
