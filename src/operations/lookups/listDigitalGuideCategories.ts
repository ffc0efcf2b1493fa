import type { Operation } from '../../contract/operation.ts'

export const listDigitalGuideCategories: Operation<'listDigitalGuideCategories'> = async (
  { query, language, reply },
  { lookups },
) => reply(lookups.current().list('digital_guide_categories', language, query))
