import type { Prisma } from '../../generated/prisma/client.ts'
import type { FileKind } from '../domain/file.ts'
import type { BirthDate, LawyerDetails } from '../domain/profile.ts'
import { needsReview, type Reviewed } from '../domain/review.ts'

/**
 * Writes what a lawyer says, as a part of the transaction that holds the account: the rows of licences and languages are
 * those of the details and no others. A lawyer who changes what was reviewed is pending again.
 *
 * @param newFiles the kinds of the files that come with it
 */
export async function writeLawyer(
  transaction: Prisma.TransactionClient,
  accountId: number,
  lawyer: LawyerDetails,
  newFiles: readonly FileKind[] = [],
): Promise<void> {
  const { birthDate, licences, languages, ...details } = lawyer
  const before = await reviewedOf(transaction, accountId)
  const isPending = before !== undefined && needsReview(before, lawyer, newFiles)
  const data = {
    ...details,
    birthDate: new Date(Date.UTC(birthDate.year, birthDate.month - 1, birthDate.day)),
  }
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

async function reviewedOf(transaction: Prisma.TransactionClient, accountId: number): Promise<Reviewed | undefined> {
  const row = await transaction.lawyerProfile.findUnique({ where: { accountId }, include: { licences: true } })
  if (!row) return undefined
  return {
    ...row,
    identityType: row.identityType as Reviewed['identityType'], // the document decides which are written
    birthDate: row.birthDate && birthDateOf(row.birthDate),
    licences: Object.fromEntries(row.licences.map(({ sectionId, licenceNo }) => [sectionId, licenceNo])),
  }
}

function birthDateOf(date: Date): BirthDate {
  return { day: date.getUTCDate(), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() }
}
