import type { Operation } from '../../contract/operation.ts'

export const listDegrees: Operation<'listDegrees'> = async ({ query, language, reply }, { lookups }) =>
  reply(lookups.current().list('degrees', language, query))
