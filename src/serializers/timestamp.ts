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

/** `deletionDueAt` becomes `deletion_due_at`. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''
type WireName<Field, Renamed> = Field extends keyof Renamed ? Renamed[Field] & string : SnakeCase<Field>

/**
 * The wire form of an object of the domain. It has all fields of the document, also the optional ones. A field of the domain
 * is written to the one of the same name in snake case, or to those that `Renamed` states; without one, it does not compile.
 */
export type Serialized<Wire, Fields, Renamed = unknown> = Required<Wire> &
  Record<Exclude<WireName<keyof Fields, Renamed>, keyof Wire>, never>
