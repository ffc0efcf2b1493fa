import { parse } from 'yaml'
import { isNode } from './json.ts'
import type { Break } from './operations.ts'

/** A break that is intended, by its rule and location */
export type Accepted = Readonly<{ rule: string; location: string; reason: string }>

const KEYS = ['rule', 'location', 'reason']

export const ACCEPTED_HEADER = `# Intended breaking changes since the last release. The release script empties this list.
#
# - rule: property-removed
#   location: '#/components/schemas/Session/properties/address'
#   reason: Why clients can cope with the change
`

/** Reads the list of intended breaks. Throws on an entry that is incomplete. */
export function readAccepted(text: string): Accepted[] {
  const entries: unknown = parse(text) ?? []
  if (!Array.isArray(entries)) throw new Error('accepted.yaml must be a list.')
  return entries.map((entry: unknown, at) => {
    const isComplete =
      isNode(entry) &&
      Object.keys(entry).every((key) => KEYS.includes(key)) &&
      KEYS.every((key) => typeof entry[key] === 'string' && entry[key].trim() !== '')
    if (!isComplete)
      throw new Error(`Entry ${at + 1} of accepted.yaml must have the texts ${KEYS.join(', ')}, and nothing else.`)
    return entry as Accepted
  })
}

/** Separates the breaks that are not accepted, and the entries that accept nothing. */
export function separate(
  breaks: readonly Break[],
  accepted: readonly Accepted[],
): { refused: Break[]; unused: Accepted[]; used: Accepted[] } {
  const accepts = (entry: Accepted, found: Break): boolean =>
    entry.rule === found.rule && entry.location === found.location
  const isUsed = (entry: Accepted): boolean => breaks.some((found) => accepts(entry, found))
  return {
    refused: breaks.filter((found) => !accepted.some((entry) => accepts(entry, found))),
    unused: accepted.filter((entry) => !isUsed(entry)),
    used: accepted.filter(isUsed),
  }
}
