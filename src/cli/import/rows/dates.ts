import type { FieldFailure } from '../../../domain/failure.ts'

/** Earlier dates are not plausible. */
const FIRST_YEAR = 1970

/** Returns why the time of an earlier action is wrong, also the second 60, which the format allows and databases do not. */
export function checkDate(text: string | undefined, nowMs: number): FieldFailure | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return 'date_unreal'
  return date.getUTCFullYear() >= FIRST_YEAR && date.getTime() <= nowMs ? undefined : 'not_allowed'
}
