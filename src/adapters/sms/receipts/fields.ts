import { failuresAt, invalidData } from '../../../domain/failure.ts'

type Fields = Readonly<Record<string, unknown>>

/** The limit of the stored key. Longer identifiers are not those of messages that were sent. */
const LENGTH_MAX = 100

/**
 * Returns the first of several fields that has a text or a number, as text.
 *
 * @throws Failure 422 on the first field if there is none, or on a field that is too long or of another type
 */
export function requireText(fields: Fields, names: readonly string[]): string {
  const name = names.find((each) => Object.hasOwn(fields, each) && fields[each] !== '' && fields[each] !== null)
  if (name === undefined) throw invalidData(failuresAt(names[0] ?? '', 'required'))
  const value = fields[name]
  if (typeof value !== 'string' && typeof value !== 'number') throw invalidData(failuresAt(name, 'wrong_type'))
  const text = String(value)
  if (text.length > LENGTH_MAX) throw invalidData(failuresAt(name, { code: 'too_long', values: { limit: LENGTH_MAX } }))
  return text
}
