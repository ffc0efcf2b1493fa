import type { Operation } from '../../contract/operation.ts'

export const listGeneralSpecialties: Operation<'listGeneralSpecialties'> = async (
  { query, language, reply },
  { lookups },
) => reply(lookups.current().list('general_specialties', language, query))
