import { RATE_LIMIT_LISTS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'

/** The list of a language is always the same object, so its response is built and checked once. */
export const listRateLimits: Operation<'listRateLimits'> = async ({ language, reply }) =>
  reply(RATE_LIMIT_LISTS[language])
