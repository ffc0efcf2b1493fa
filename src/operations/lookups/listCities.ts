import type { Operation } from '../../contract/operation.ts'

export const listCities: Operation<'listCities'> = async ({ query, language, reply }, { lookups }) =>
  reply(lookups.current().list('cities', language, query))
