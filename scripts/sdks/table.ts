import { readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import type { Result } from './client.ts'

const PAGE = 'docs/sdks.md'
const STEPS = ['login', 'update with file', '422', 'refresh', 'download']
const HEAD = [
  'Generator',
  'Version',
  'Document',
  'Compiles',
  ...STEPS.map((step) => step.charAt(0).toUpperCase() + step.slice(1)),
]

/** Returns the rows of a table, one for each client, and one before them for the names of its columns. */
export function renderTable(results: readonly Result[]): string {
  const rows = results.map(({ name, version, document, errors, works }) => [
    name,
    version,
    document,
    errors === 0 ? 'yes' : `no: ${errors} errors`,
    ...STEPS.map((step) => (works.includes(step) ? 'yes' : 'no')),
  ])
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Returns the rows that the page does not have. */
export function findStaleRows(table: string): string[] {
  const page = new Set(readFileSync(PAGE, 'utf8').split('\n').map(normalize))
  return table.split('\n').filter((row) => !/^[| -]+$/.test(row) && !page.has(normalize(row)))
}

export async function writeTable(table: string): Promise<void> {
  const page = readFileSync(PAGE, 'utf8')
  const filled = page.replace(/(<!-- sdks -->\n)[^]*?(<!-- \/sdks -->)/, `$1\n${table}\n\n$2`)
  writeFileSync(PAGE, await format(filled, { ...(await resolveConfig(PAGE)), filepath: PAGE }))
}

function normalize(row: string): string {
  return row.replace(/ *\| */g, '|')
}
