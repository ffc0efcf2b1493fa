import { LIMITS } from '../../../generated/limits.ts'
import type { FieldFailures } from '../failure.ts'
import type { BirthDate } from './profile.ts'

/** Years that are assumed to be of the Hijri calendar */
const HIJRI = { from: 1300, to: 1500 }

/** Validates a date of birth. A day that does not exist in its month is an error of `day`. */
export function birthDateFailures({ day, month, year }: BirthDate, nowMs: number): FieldFailures {
  if (year >= HIJRI.from && year <= HIJRI.to) return { year: ['date_not_gregorian'] }
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1) return { day: ['date_unreal'] }

  const { years_min: min, years_max: max } = LIMITS.age
  const age = ageAt({ day, month, year }, new Date(nowMs))
  return age < min || age > max ? { year: [{ code: 'age_not_allowed', values: { min, max } }] } : {}
}

function ageAt({ day, month, year }: BirthDate, now: Date): number {
  const hasHadBirthday = now.getUTCMonth() + 1 > month || (now.getUTCMonth() + 1 === month && now.getUTCDate() >= day)
  return now.getUTCFullYear() - year - (hasHadBirthday ? 0 : 1)
}
