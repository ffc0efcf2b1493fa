import type { Operation } from '../../contract/operation.ts'

export const listAccurateSpecialties: Operation<'listAccurateSpecialties'> = async (
  { query, language, reply },
  { lookups },
) => reply(lookups.current().list('accurate_specialties', language, query))
