import { stringify } from 'yaml'
import type { Accepted } from './accepted.ts'
import type { Break } from './operations.ts'

const ADVICE = `To remain compatible, add the new form beside the old one, and deprecate the old one (\`deprecated: true\` with
\`x-tawthiq-sunset\`). An operation can be removed after the sunset of a released deprecation.
If a break is intended, add it to openapi/released/accepted.yaml with a reason:`

export type Outcome = Readonly<{ version: string; refused: Break[]; unused: Accepted[]; used: Accepted[] }>

/** Describes the result of the gate for people. */
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
