import { createHash } from 'node:crypto'
import type { ImportedAccount, TakenIdentifiers } from '../../domain/import.ts'
import type { FileImport } from '../../store/imports/index.ts'

const DIGEST_BYTES = 6

/**
 * Simulates the import without writing. Accepted accounts are stored in memory as short hashes, some dozens of bytes each: with a
 * million rows, one run in a thousand has a collision.
 */
export function dryRun(fileImport: FileImport): FileImport['add'] {
  const seen = new Set<number>()

  const findConflicts = (
    { email, phone, phoneVerified }: ImportedAccount,
    { email: isEmailTaken, phone: isPhoneTaken }: TakenIdentifiers,
  ): TakenIdentifiers => {
    const digests = { email: digest(email), phone: digest(phone) }
    const taken = {
      email: isEmailTaken || seen.has(digests.email),
      phone: isPhoneTaken || (phoneVerified && seen.has(digests.phone)),
    }
    if (taken.email || taken.phone) return taken
    seen.add(digests.email)
    if (phoneVerified) seen.add(digests.phone)
    return taken
  }
  return async (accounts, _before, next) => {
    const taken = (await fileImport.taken(accounts)).values()
    return next(accounts.map((account) => findConflicts(account, taken.next().value ?? { email: false, phone: false })))
  }
}

function digest(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, DIGEST_BYTES)
}
