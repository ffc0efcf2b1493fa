import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { Change } from './diff.ts'
import { judge } from './judge.ts'
import { ACCEPTED, BASELINE, DOCUMENT, isNode, readJson, type Node } from './json.ts'
import type { Break } from './operations.ts'

export type GateResult = Readonly<{
  report: string
  passes: boolean
  /** The changes since the last release; undefined before the first one */
  changes?: Change[]
  hasAcceptedBreaks: boolean
}>

export async function runGate(root: string, today: Date): Promise<GateResult> {
  const current = await readJson(join(root, DOCUMENT))
  if (!current) throw new Error(`${DOCUMENT} is missing. Run npm run generate.`)
  const released = await readJson(join(root, BASELINE))
  if (!released) {
    const report = `There is no released document to compare with: the first release writes ${BASELINE}.`
    return { report, passes: true, hasAcceptedBreaks: false }
  }
  const { breaks, changes } = await judge({ released, current }, today)
  const separated = separate(breaks, readAccepted(await readFile(join(root, ACCEPTED), 'utf8')))
  return {
    report: formatReport({ version: versionOf(released), ...separated }),
    passes: separated.refused.length === 0 && separated.unused.length === 0,
    changes,
    hasAcceptedBreaks: separated.used.length > 0,
  }
}

export function versionOf({ info }: Node): string {
  return isNode(info) ? String(info['version']) : 'the last release'
}

const ADVICE = `To remain compatible, add the new form beside the old one, and deprecate the old one (\`deprecated: true\` with
\`x-tawthiq-sunset\`). An operation can be removed after the sunset of a released deprecation.
If a break is intended, add it to openapi/released/accepted.yaml with a reason:`

type Outcome = Readonly<{ version: string; refused: Break[]; unused: Accepted[]; used: Accepted[] }>

export function formatReport({ version, refused, unused, used }: Outcome): string {
  const lines: string[] = []
  if (refused.length > 0) {
    lines.push(`${count(refused.length, 'breaking change')} since ${version}:`, '', ...refused.map(describe))
    lines.push('', ADVICE, '', ...refused.map(template))
  }
  if (unused.length > 0) {
    const entries = count(unused.length, 'entry', 'entries')
    lines.push(`${entries} of openapi/released/accepted.yaml without a breaking change. Remove:`, '')
    lines.push(...unused.map(({ rule, location }) => `  ${rule} at ${location}`))
  }
  if (lines.length > 0) return lines.join('\n')
  const accepted = used.length > 0 ? `, except ${count(used.length, 'accepted change')}` : ''
  return `No breaking changes since ${version}${accepted}.`
}

function describe({ rule, location, message, use }: Break): string {
  const where = use === undefined ? '' : `\n    in ${use}`
  return `  ${rule}: ${message}\n    at ${location}${where}`
}

function template({ rule, location }: Break): string {
  return stringify([{ rule, location, reason: '…' }], { lineWidth: 0, singleQuote: true }).trimEnd()
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

type Accepted = Readonly<{ rule: string; location: string; reason: string }>

const KEYS = ['rule', 'location', 'reason']

export const ACCEPTED_HEADER = `# Intended breaking changes since the last release. The release script empties this list.
#
# - rule: property-removed
#   location: '#/components/schemas/Session/properties/address'
#   reason: Why clients can cope with the change
`

/** Reads the accepted breaks. Throws on an entry that is incomplete. */
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

/** Separates the breaks that are not accepted, the entries that accept nothing, and those that accept a break. */
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
