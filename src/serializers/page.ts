import { LIMITS } from '../../generated/limits.ts'
import { invalidData } from '../domain/failure.ts'

export const PAGE_LENGTH = LIMITS.pages.default

/** Numbers up to this many digits are exact. */
const NUMBER = /^[0-9]{1,15}$/

/** Returns the cursor of a page, whose rows sort below these numbers. */
export function encodeCursor(...numbers: readonly (number | bigint)[]): string {
  return Buffer.from(numbers.join('.')).toString('base64url')
}

/** @throws Failure 422 on `cursor` if it was not made by `encodeCursor` of as many numbers */
export function decodeCursor(cursor: string, count: number): number[] {
  const texts = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const isGood = texts.length === count && texts.every((text) => NUMBER.test(text))
  if (!isGood) throw invalidData({ cursor: ['wrong_format'] })
  return texts.map(Number)
}

/** Returns a page of rows, of which one more than `limit` was read; `last` is its last row if another page follows. */
export function toPage<Row>(rows: readonly Row[], limit: number): { page: Row[]; last: Row | undefined } {
  const page = rows.slice(0, limit)
  return { page, last: rows.length > limit ? page.at(-1) : undefined }
}
