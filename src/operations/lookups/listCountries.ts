import type { Operation } from '../../contract/operation.ts'

export const listCountries: Operation<'listCountries'> = async ({ query, language, reply }, { lookups }) =>
  reply(lookups.current().list('countries', language, query))
