import type { Operation } from '../../contract/operation.ts'

export const listNationalities: Operation<'listNationalities'> = async ({ query, language, reply }, { lookups }) =>
  reply(lookups.current().list('nationalities', language, query))
