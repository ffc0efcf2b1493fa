import { markdownTable } from '../generate/markdown.ts'
import type { Finding, Outcome } from './run.ts'

const SHOWN_BYTES_MAX = 6000
const LOG_LINES_MAX = 6

export function formatReport(outcome: Outcome): string {
  const { seed, requests, milliseconds, findings, overloaded } = outcome
  const seconds = milliseconds / 1000
  const faults = [...findings.values()].sort((a, b) => b.count - a.count)
  return [
    `${requests} requests in ${seconds.toFixed(1)} s (${(requests / seconds).toFixed(0)} a second), seed ${seed}`,
    '',
    formatTable(outcome),
    '',
    ...(overloaded > 0
      ? [`${overloaded} times the answer was 503, and the request was sent again after Retry-After.`, '']
      : []),
    faults.length === 0 ? 'No findings.' : `${faults.length} findings:`,
    ...faults.map((finding, index) => `\n${index + 1}. ${describe(finding)}`),
  ].join('\n')
}

function formatTable({ statuses }: Outcome): string {
  const columns = [...new Set([...statuses.values()].flatMap((counts) => [...counts.keys()]))].sort()
  const rows = [...statuses].sort(([a], [b]) => a.localeCompare(b))
  const total = (column: string): number => rows.reduce((sum, [, counts]) => sum + (counts.get(column) ?? 0), 0)
  const cells = rows.map(([name, counts]) => [name, ...columns.map((column) => counts.get(column) ?? '')])
  return markdownTable(['', ...columns], [...cells, ['total', ...columns.map(total)]])
}

function describe({ fault, count, number, reproduction, log }: Finding): string {
  const logged = log?.split('\n').slice(0, LOG_LINES_MAX) ?? []
  return [
    `${fault.kind} (${count} times, first by request ${number})`,
    `   ${fault.detail.slice(0, 500)}`,
    ...logged.map((line) => `   log: ${line}`),
    `   ${formatCommand(reproduction)}`,
  ].join('\n')
}

/** A line to paste into bash; `$CLIENT`, `$LAWYER` and `$ADMINISTRATOR` are their access tokens. */
function formatCommand(reproduction: Finding['reproduction']): string {
  if (reproduction instanceof Uint8Array) return `printf '%b' ${quote(reproduction)} | nc -q1 localhost 3000`
  const { operation, who, method, path, headers, body } = reproduction
  const { 'x-forwarded-for': _address, ...own } = headers
  const isAuthorized = who !== 'anonymous' && own['authorization'] === undefined
  return [
    `curl -sS -X ${method} ${quote(Buffer.from(`http://localhost:3000${path}`))}`,
    ...Object.entries(own).map(([name, value]) => `-H ${quote(Buffer.from(`${name}: ${value}`, 'latin1'))}`),
    ...(isAuthorized ? [`-H "authorization: Bearer $${who.toUpperCase()}"`] : []),
    ...(body ? [`--data-binary ${quote(body)}`] : []),
    `# ${operation.id}`,
  ].join(' ')
}

/** Bytes as a word of bash */
function quote(bytes: Buffer): string {
  const shown = bytes.subarray(0, SHOWN_BYTES_MAX)
  const isText = Buffer.from(shown.toString()).equals(shown)
  const text = isText ? shown.toString() : shown.toString('latin1')
  const escaped = text.replaceAll(isText ? /[\\'\p{Cc}\p{Cf}]/gu : /[^ -&(-[\]-~]/gu, (character) =>
    [...Buffer.from(character, isText ? 'utf8' : 'latin1')]
      .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  )
  const rest = bytes.length - shown.length
  return `$'${escaped}'${rest > 0 ? ` # and ${rest} bytes more` : ''}`
}
