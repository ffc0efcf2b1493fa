import type { Operation } from '../../contract/operation.ts'

export const listLanguages: Operation<'listLanguages'> = async ({ query, language, reply }, { lookups }) =>
  reply(lookups.current().list('languages', language, query))
