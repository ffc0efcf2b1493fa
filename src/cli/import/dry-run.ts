import { createHash } from 'node:crypto'
import type { ImportedAccount, TakenIdentifiers } from '../../domain/import.ts'
import type { FileImport } from '../../store/imports/index.ts'

const DIGEST_BYTES = 6
const NOTHING: TakenIdentifiers = { email: false, phone: false, passkeys: [] }

/**
 * Simulates the import without writing. Accepted accounts are stored in memory as short hashes, some dozens of bytes each: with a
 * million rows, one run in a thousand has a collision.
 */
export function dryRun(fileImport: FileImport): FileImport['add'] {
  const seen = new Set<number>()

  const findConflicts = (
    { email, phone, phoneVerified, factors }: ImportedAccount,
    { email: isEmailTaken, phone: isPhoneTaken, passkeys: knownPasskeys }: TakenIdentifiers,
  ): TakenIdentifiers => {
    const digests = { email: digest(email), phone: digest(phone) }
    const passkeys = factors?.passkeys.map(({ credentialId }) => digest(credentialId)) ?? []
    const taken = {
      email: isEmailTaken || seen.has(digests.email),
      phone: isPhoneTaken || (phoneVerified && seen.has(digests.phone)),
      passkeys: [...passkeys.keys()].filter((at) => knownPasskeys.includes(at) || seen.has(passkeys[at] ?? NaN)),
    }
    if (taken.email || taken.phone || taken.passkeys.length > 0) return taken
    seen.add(digests.email)
    if (phoneVerified) seen.add(digests.phone)
    for (const each of passkeys) seen.add(each)
    return taken
  }
  return async (accounts, _before, next) => {
    const taken = (await fileImport.taken(accounts)).values()
    return next(accounts.map((account) => findConflicts(account, taken.next().value ?? NOTHING)))
  }
}

function digest(value: string | Uint8Array): number {
  return createHash('sha256').update(value).digest().readUIntBE(0, DIGEST_BYTES)
}
