// The tables that README.md and .env.example share with the code and the document.
import { aboutVariable, Environment } from '../../src/config/environment.ts'
import type { Document, Schema } from './openapi.ts'

/** README.md with its tables between the markers `<!-- name -->` and `<!-- /name -->` made anew. */
export function withTables(readme: string, document: Document): string {
  const { ErrorCode = {}, FieldCode = {} } = document.components.schemas
  const tables: Record<string, string> = {
    configuration: configurationTable(),
    errors: wordsTable(ErrorCode, ['Status', '`Error-Code`', 'Meaning']),
    fields: wordsTable(FieldCode, ['Code', 'Meaning']),
  }
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    if (!place.test(text)) throw new Error(`README.md has no place for ${name}`)
    return text.replace(place, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`)
  }, readme)
}

export function exampleEnvironment(): string {
  const entries = variables().map(({ name, about, accepts, shown }) => {
    const fallback = shown === undefined ? '' : `\n# Without it: ${shown}.`
    return `# ${about}\n# It takes ${accepts}.${fallback}\n# ${name}=\n`
  })
  return `# Copy this file to .env and set what you need: everything has a default outside production.\n# Lists are separated by commas. What the environment says goes before what stands here.\n\n${entries.join('\n')}`
}

function configurationTable(): string {
  const rows = variables().map(({ name, about, accepts, shown = '' }) => [`\`${name}\``, about, accepts, shown])
  return table(['Variable', 'What it is for', 'It takes', 'Without it'], rows)
}

function wordsTable(schema: Schema, head: string[]): string {
  const statuses = schema['x-statuses']
  const rows = Object.entries(schema['x-enum-descriptions'] ?? {}).map(([word, meaning]) => [
    ...(statuses ? [String(statuses[word])] : []),
    `\`${word}\``,
    meaning,
  ])
  return table(head, rows)
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  return lines.join('\n')
}

function variables(): ({ name: string } & ReturnType<typeof aboutVariable>)[] {
  const names = Object.keys(Environment.properties) as (keyof typeof Environment.properties)[]
  return names.map((name) => ({ name, ...aboutVariable(name) }))
}
