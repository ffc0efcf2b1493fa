import { queryRows, type Driver } from '../../database/sql.ts'
import type { ImportedAccount, TakenIdentifiers } from '../../domain/import.ts'
import { findKnownPasskeys, type KnownPasskeys } from './factors.ts'
import { Outdated } from './transaction.ts'
import { TAKEN } from './sql.ts'

const NOTHING: TakenIdentifiers = { email: false, phone: false, passkeys: [] }

type Contact = Omit<TakenIdentifiers, 'passkeys'>

/** Returns which identifiers of each account are taken. */
export async function readTaken(
  driver: Driver,
  importedAccounts: readonly ImportedAccount[],
): Promise<TakenIdentifiers[]> {
  const knownPasskeys = await findKnownPasskeys(driver, importedAccounts)
  const contacts = await readTakenContacts(driver, importedAccounts)
  return contacts.map((contact, place) => ({ ...contact, passkeys: knownPasskeys.get(place) ?? [] }))
}

/** An unverified number cannot conflict. */
async function readTakenContacts(driver: Driver, importedAccounts: readonly ImportedAccount[]): Promise<Contact[]> {
  if (importedAccounts.length === 0) return []
  const wanted = [importedAccounts.map(({ email }) => email), importedAccounts.map(({ phone }) => phone)]
  const rows = await queryRows(driver, TAKEN, ...wanted)
  const emails = new Set(rows.map(({ email }) => email))
  const phones = new Set(rows.map(({ phone }) => phone))
  return importedAccounts.map(({ email, phone, phoneVerified }) => ({
    email: emails.has(email),
    phone: phoneVerified && phones.has(phone),
  }))
}

/**
 * Returns which identifiers of the accounts that were not added are taken. Identifiers of a later account of the batch
 * do not count, because that account was added only after the earlier one was skipped.
 *
 * @param decided the places of the added accounts, and the passkeys because of which accounts were skipped
 * @throws Outdated if an account was not added although its identifiers are free now
 */
export async function findTaken(
  driver: Driver,
  importedAccounts: readonly ImportedAccount[],
  { added, knownPasskeys }: { added: ReadonlySet<number>; knownPasskeys: KnownPasskeys },
): Promise<TakenIdentifiers[]> {
  const all = [...importedAccounts.entries()]
  const left = all.filter(([place]) => !added.has(place))
  const takers = all.filter(([place]) => added.has(place))
  const phoneTakers = takers.filter(([, { phoneVerified }]) => phoneVerified)
  const emails = new Map(takers.map(([place, { email }]) => [email, place]))
  const phones = new Map(phoneTakers.map(([place, { phone }]) => [phone, place]))
  const taken = await readTakenContacts(
    driver,
    left.map(([, account]) => account),
  )
  const found = new Map(
    left.map(([place, { email, phone }], index) => {
      const was = taken[index] ?? NOTHING
      const isAddedLater = (at = -1): boolean => at > place
      const own = {
        email: was.email && !isAddedLater(emails.get(email)),
        phone: was.phone && !isAddedLater(phones.get(phone)),
        passkeys: knownPasskeys.get(place) ?? [],
      }
      if (!own.email && !own.phone && own.passkeys.length === 0)
        throw new Outdated('the conflict of an imported account no longer exists')
      return [place, own] as const
    }),
  )
  return importedAccounts.map((_, place) => found.get(place) ?? NOTHING)
}
