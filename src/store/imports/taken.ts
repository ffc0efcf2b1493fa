import type pg from 'pg'
import type { ImportedAccount, TakenIdentifiers } from '../../domain/import.ts'
import { findKnownPasskeys, type KnownPasskeys } from './factors.ts'
import { queryRows, Outdated } from './session.ts'
import { TAKEN } from './sql.ts'

const NOTHING: TakenIdentifiers = { email: false, phone: false, passkeys: [] }

type Contact = Omit<TakenIdentifiers, 'passkeys'>

/** Returns which identifiers of each account are taken. */
export async function readTaken(
  client: pg.PoolClient,
  importedAccounts: readonly ImportedAccount[],
): Promise<TakenIdentifiers[]> {
  const knownPasskeys = await findKnownPasskeys(client, importedAccounts)
  const contacts = await readTakenContacts(client, importedAccounts)
  return contacts.map((contact, place) => ({ ...contact, passkeys: knownPasskeys.get(place) ?? [] }))
}

/** An unverified number cannot conflict. */
async function readTakenContacts(
  client: pg.PoolClient,
  importedAccounts: readonly ImportedAccount[],
): Promise<Contact[]> {
  if (importedAccounts.length === 0) return []
  const wanted = [importedAccounts.map(({ email }) => email), importedAccounts.map(({ phone }) => phone)]
  const rows = await queryRows(client, TAKEN, ...wanted)
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
  client: pg.PoolClient,
  importedAccounts: readonly ImportedAccount[],
  { added, knownPasskeys }: { added: ReadonlySet<number>; knownPasskeys: KnownPasskeys },
): Promise<TakenIdentifiers[]> {
  const places = [...importedAccounts.keys()]
  const left = places.filter((place) => !added.has(place))
  const taken = await readTakenContacts(
    client,
    importedAccounts.filter((_, place) => !added.has(place)),
  )
  const emails = new Map(
    importedAccounts.map(({ email }, place) => [email, place] as const).filter(([, p]) => added.has(p)),
  )
  const verified = importedAccounts.map(({ phone, phoneVerified }, place) => ({ phone, place, phoneVerified }))
  const takers = verified.filter(({ place, phoneVerified }) => phoneVerified && added.has(place))
  const phones = new Map(takers.map(({ phone, place }) => [phone, place]))

  const found = new Map(
    left.map((place, index) => {
      const { email = '', phone = '' } = importedAccounts[place] ?? {}
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
  return places.map((place) => found.get(place) ?? NOTHING)
}
