import { readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import type { Result } from './client.ts'

const PAGE = 'docs/sdks.md'
const STEPS = ['login', 'update with file', '422', 'refresh', 'download']
/** The walks of openapi-generator's clients also read the profile, and clear a list with `[]` as text. */
const MORE_STEPS = [...STEPS, 'profile', 'clear a list']

/** Renders a table of the clients in TypeScript, and one of the others. */
export function renderTables(results: readonly Result[]): string {
  const isOther = ({ name }: Result): boolean => /^(?:Go|Kotlin|Python)\b/.test(name)
  const tables = [
    renderTable(
      'TypeScript',
      STEPS,
      results.filter((result) => !isOther(result)),
    ),
    renderTable('openapi-generator', MORE_STEPS, results.filter(isOther)),
  ]
  return tables.filter(Boolean).join('\n\n')
}

function renderTable(title: string, steps: readonly string[], results: readonly Result[]): string {
  const head = [title, 'Version', 'Document', 'Compiles', ...steps.map(capitalize)]
  const rows = results.map(({ name, version, document, errors, works }) => [
    name,
    version,
    document,
    errors === 0 ? 'yes' : `no: ${errors} errors`,
    ...steps.map((step) => (works.includes(step) ? 'yes' : 'no')),
  ])
  if (rows.length === 0) return ''
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
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
