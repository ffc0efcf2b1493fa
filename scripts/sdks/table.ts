import { readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { fillSection, markdownTable } from '../generate/markdown.ts'
import type { GeneratedOnly, Result } from './client.ts'

const PAGE = 'docs/sdks.md'
const STEPS = ['login', 'update with file', '422', 'refresh', 'download']
/** The walks of openapi-generator's clients also read the profile, and clear a list with `[]` as text. */
const MORE_STEPS = [...STEPS, 'profile', 'clear a list']

const SDK = /^(?:Node\.js|Bun|Deno)\b/
const OTHERS = /^(?:Go|Java|Kotlin|Python)\b/

/** Renders tables of the SDK, of clients in TypeScript and in other languages, and of those that were not compiled. */
export function renderTables(results: readonly Result[], generated: readonly GeneratedOnly[]): string {
  const runtimes = results.filter(({ name }) => SDK.test(name))
  const others = results.filter(({ name }) => OTHERS.test(name))
  const collections = results.filter(({ name }) => name === 'Postman')
  const typescript = results.filter((result) => ![...runtimes, ...others, ...collections].includes(result))
  const tables: [head: readonly string[], rows: readonly string[][]][] = [
    [
      ['`@tawthiq/sdk` in', 'Version', ...STEPS.map(capitalize)],
      runtimes.map(({ name, version, works }) => [name, version, ...judgeSteps(STEPS, works)]),
    ],
    compiledTable('TypeScript', STEPS, typescript),
    compiledTable('openapi-generator', MORE_STEPS, others),
    [
      ['Collection', 'Version', 'Document', 'Requests that succeed'],
      collections.map(({ name, version, document, works }) => [name, version, document, String(works.length)]),
    ],
    [
      ['Generated, not compiled', 'Version', 'Document', 'Warnings'],
      generated.map(({ name, version, document, warnings }) => [name, version, document, String(warnings.length)]),
    ],
  ]
  return tables.flatMap(([head, rows]) => (rows.length > 0 ? [markdownTable(head, rows)] : [])).join('\n\n')
}

function compiledTable(title: string, steps: readonly string[], results: readonly Result[]): [string[], string[][]] {
  const rows = results.map(({ name, version, document, errors, works }) => {
    const compiles = errors === 0 ? 'yes' : `no: ${errors} errors`
    return [name, version, document, compiles, ...judgeSteps(steps, works)]
  })
  return [[title, 'Version', 'Document', 'Compiles', ...steps.map(capitalize)], rows]
}

function judgeSteps(steps: readonly string[], works: readonly string[]): string[] {
  return steps.map((step) => (works.includes(step) ? 'yes' : 'no'))
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Prints the table of a section, and writes it if this is wanted. Returns whether the page has all rows. */
export async function publishTable(table: string, section: string, command: string, write: boolean): Promise<boolean> {
  console.log(`\n${table}\n`)
  if (write) {
    const filled = fillSection(PAGE, section, table)
    writeFileSync(PAGE, await format(filled, { ...(await resolveConfig(PAGE)), filepath: PAGE }))
  }
  const page = new Set(readFileSync(PAGE, 'utf8').split('\n').map(normalize))
  const stale = table.split('\n').filter((row) => !/^[| -]+$/.test(row) && !page.has(normalize(row)))
  if (stale.length > 0)
    console.error(`${PAGE} does not have these rows. Write it with ${command} -- --write:\n${stale.join('\n')}`)
  return stale.length === 0
}

function normalize(row: string): string {
  return row.replace(/ *\| */g, '|')
}
