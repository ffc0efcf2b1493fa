import type pg from 'pg'
import type { Newcomer, Taken } from '../domain/import.ts'
import { ask, Outdated } from './import-session.ts'
import { TAKEN } from './import-sql.ts'

const NOTHING: Taken = { email: false, phone: false }

/** What of each of them belongs to an account. A number that is not verified takes nothing from any. */
export async function takenOf(client: pg.PoolClient, newcomers: readonly Newcomer[]): Promise<Taken[]> {
  if (newcomers.length === 0) return []
  const wanted = [newcomers.map(({ email }) => email), newcomers.map(({ phone }) => phone)]
  const rows = await ask<{ email: string; phone: string | null }>(client, TAKEN, wanted)
  const emails = new Set(rows.map(({ email }) => email))
  const phones = new Set(rows.map(({ phone }) => phone))
  return newcomers.map(({ email, phone, phoneVerified }) => ({
    email: emails.has(email),
    phone: phoneVerified && phones.has(phone),
  }))
}

/**
 * What stood in the way of those who were not added. Those who were added behind them took nothing from them.
 *
 * @param added the places of those who were
 * @throws Outdated when it stands there no more
 */
export async function standing(
  client: pg.PoolClient,
  newcomers: readonly Newcomer[],
  added: ReadonlySet<number>,
): Promise<Taken[]> {
  const places = [...newcomers.keys()]
  const left = places.filter((place) => !added.has(place))
  const taken = await takenOf(
    client,
    newcomers.filter((_, place) => !added.has(place)),
  )
  const emails = new Map(newcomers.map(({ email }, place) => [email, place] as const).filter(([, p]) => added.has(p)))
  const verified = newcomers.map(({ phone, phoneVerified }, place) => ({ phone, place, phoneVerified }))
  const takers = verified.filter(({ place, phoneVerified }) => phoneVerified && added.has(place))
  const phones = new Map(takers.map(({ phone, place }) => [phone, place]))

  const found = new Map(
    left.map((place, index) => {
      const { email = '', phone = '' } = newcomers[place] ?? {}
      const own = {
        email: (taken[index]?.email ?? false) && !((emails.get(email) ?? -1) > place),
        phone: (taken[index]?.phone ?? false) && !((phones.get(phone) ?? -1) > place),
      }
      if (!own.email && !own.phone) throw new Outdated('what stood in the way of a newcomer is gone')
      return [place, own] as const
    }),
  )
  return places.map((place) => found.get(place) ?? NOTHING)
}
