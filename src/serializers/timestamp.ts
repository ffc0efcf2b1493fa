import { failuresAt, invalidData, type Field } from '../domain/failure.ts'

/** Nothing has happened before 1970, nor after 9999. */
export const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The time that a field says, if it does. A leap second has the form of a time, but is none.
 *
 * @throws Failure 422 on the field
 */
export function parseTimestamp(field: Field, text: string): Date
export function parseTimestamp(field: Field, text: string | undefined): Date | undefined
export function parseTimestamp(field: Field, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const ms = Math.min(Math.max(Date.parse(text), 0), LAST_MS)
  if (Number.isNaN(ms)) throw invalidData(failuresAt(field, 'wrong_format'))
  return new Date(ms)
}

/**
 * The wire form of an object of the domain. It has all fields of the document, also the optional ones, and `Names` states
 * which of them each field of the domain is written to: a field of the domain without one does not compile.
 */
export type Serialized<Wire, Fields, Names extends Record<keyof Fields, keyof Wire>> = Required<Wire> &
  Pick<Required<Wire>, Names[keyof Fields]>
