import type { Data, Operation } from '../../contract/operation.ts'
import { profileForm } from '../../contract/forms/form-rules.ts'
import type { LookupTables } from '../../domain/lookups/lookup-tables.ts'

export const getProfileForm: Operation<'getProfileForm'> = async ({ query, language, reply }, { lookups }) => {
  const tables = lookups.current()
  const known = cache.get(tables) ?? new Map<string, Data<'getProfileForm'>>()
  cache.set(tables, known)

  const key = `${query.account_type} ${language}`
  const form = known.get(key) ?? profileForm(query.account_type, language, listCertified(tables))
  known.set(key, form)
  return reply(form)
}

/** The same object for the same tables, so that its response is built and checked once. */
const cache = new WeakMap<LookupTables, Map<string, Data<'getProfileForm'>>>()

/** Lists the degrees that need a certificate. */
function listCertified(tables: LookupTables): number[] {
  const { items } = tables.list('degrees', 'en')
  return items.flatMap(({ id, need_certificate: isNeeded }) => (isNeeded ? [id] : []))
}
