import type { Operation } from '../../contract/operation.ts'

export const listRegions: Operation<'listRegions'> = async ({ query, language, reply }, { lookups }) =>
  reply(lookups.current().list('regions', language, query))
