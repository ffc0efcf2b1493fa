import type { Operation } from '../../contract/operation.ts'

export const listFunctionalCases: Operation<'listFunctionalCases'> = async ({ query, language, reply }, { lookups }) =>
  reply(lookups.current().list('functional_cases', language, query))
