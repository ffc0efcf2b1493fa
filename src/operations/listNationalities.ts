import type { Operation } from '../contract.ts'

export const listNationalities: Operation<'listNationalities'> = async ({ query, language, reply }, { lookups }) =>
  reply(lookups.current().list('nationalities', language, query))
