import type pg from 'pg'
import type { ImportedAccount, TakenIdentifiers } from '../../domain/import.ts'
import { queryRows, Outdated } from './session.ts'
import { TAKEN } from './sql.ts'

const NOTHING: TakenIdentifiers = { email: false, phone: false }

/** Returns which identifiers of each account are taken. An unverified number cannot conflict. */
export async function readTaken(
  client: pg.PoolClient,
  importedAccounts: readonly ImportedAccount[],
): Promise<TakenIdentifiers[]> {
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
 * @param added the places of the added accounts
 * @throws Outdated if an account was not added although its identifiers are free now
 */
export async function findTaken(
  client: pg.PoolClient,
  importedAccounts: readonly ImportedAccount[],
  added: ReadonlySet<number>,
): Promise<TakenIdentifiers[]> {
  const places = [...importedAccounts.keys()]
  const left = places.filter((place) => !added.has(place))
  const taken = await readTaken(
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
      }
      if (!own.email && !own.phone) throw new Outdated('the conflict of an imported account no longer exists')
      return [place, own] as const
    }),
  )
  return places.map((place) => found.get(place) ?? NOTHING)
}
