// The parts of docs/ and .env.example that are generated from the document and from the code.
import { HELP as ADMIN_HELP } from '../../src/cli/admin/help.ts'
import { HELP as IMPORT_HELP } from '../../src/cli/import/help.ts'
import { aboutVariable, VARIABLE_GROUPS, type VariableName } from '../../src/config/environment.ts'
import { secretFileVariable } from '../../src/config/names/secrets.ts'
import { COUNTERS, GAUGES, HISTOGRAMS, type Family } from '../../src/lib/metrics.ts'
import { EXTENSIONS } from './document/extensions.ts'
import { METHODS, type Document, type Schema } from './document/openapi.ts'

/** The generated sections of each page, by name. */
export const GENERATED_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'docs/configuration.md': ['configuration'],
  'docs/errors.md': ['errors', 'fields'],
  'docs/extensions.md': ['extensions'],
  'docs/importing.md': ['import-help'],
  'docs/monitoring.md': ['metrics'],
  'docs/operate.md': ['admin-help'],
  'docs/using-the-api.md': ['operations'],
  'docs/versioning.md': ['versioning'],
}

/**
 * Replaces the text between `<!-- name -->` and `<!-- /name -->` for every generated section of a page.
 *
 * @throws Error when the page has no such markers
 */
export function fillSections(path: string, page: string, document: Document): string {
  const sections = renderSections(document)
  return (GENERATED_SECTIONS[path] ?? []).reduce((text, name) => {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    if (!place.test(text)) throw new Error(`${path} has no markers for the section ${name}`)
    return text.replace(place, (_, start: string, end: string) => `${start}\n${sections[name] ?? ''}\n\n${end}`)
  }, page)
}

/** Renders .env.example. */
export function renderExampleEnvironment(): string {
  const groups = Object.entries(VARIABLE_GROUPS).map(([title, names]) => {
    const entries = names.map((name) => {
      const { about, accepts, shown } = aboutVariable(name)
      const fallback = shown === undefined ? '' : `\n# Default: ${shown}.`
      return `# ${about}\n# Value: ${accepts}.${fallback}\n# ${name}=\n`
    })
    return `# --- ${title} ---\n\n${entries.join('\n')}`
  })
  return `# Copy this file to .env and set the variables that you need. Variables of the environment take precedence over this file.
# Separate the items of a list with commas. Secrets can be in files: see docs/configuration.md.\n\n${groups.join('\n')}`
}

function renderSections(document: Document): Record<string, string> {
  const { ErrorCode = {}, FieldCode = {} } = document.components.schemas
  return {
    configuration: configurationTables(),
    errors: codesTable(ErrorCode, ['Status', '`Error-Code`', 'Meaning']),
    fields: codesTable(FieldCode, ['Code', 'Meaning']),
    extensions: extensionsTable(),
    operations: operationsTable(document),
    versioning: guide(document, 'Versioning'),
    'admin-help': codeBlock(ADMIN_HELP),
    'import-help': codeBlock(IMPORT_HELP),
    metrics: metricsTable(),
  }
}

function configurationTables(): string {
  const tables = Object.entries(VARIABLE_GROUPS).map(([title, names]) => `## ${title}\n\n${variablesTable(names)}`)
  return tables.join('\n\n')
}

function variablesTable(names: readonly VariableName[]): string {
  const rows = names.map((name) => {
    const { about, accepts, shown = '' } = aboutVariable(name)
    const file = secretFileVariable(name)
    return [`\`${name}\`${file === undefined ? '' : ` or \`${file}\``}`, about, accepts, shown]
  })
  return table(['Variable', 'Description', 'Value', 'Default'], rows)
}

function metricsTable(): string {
  const types = { counter: COUNTERS, histogram: HISTOGRAMS, gauge: GAUGES }
  const rows = Object.entries(types).flatMap(([type, families]) =>
    Object.entries<Family>(families).map(([name, { help, labels }]) => {
      return [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help]
    }),
  )
  return table(['Metric', 'Type', 'Labels', 'Meaning'], rows)
}

function codesTable(schema: Schema, head: string[]): string {
  const statuses = schema['x-tawthiq-statuses']
  const rows = Object.entries(schema['x-enumDescriptions'] ?? {}).map(([code, meaning]) => [
    ...(statuses ? [String(statuses[code])] : []),
    `\`${code}\``,
    meaning,
  ])
  return table(head, rows)
}

function extensionsTable(): string {
  const rows = Object.entries(EXTENSIONS).map(([name, { on, isPublished, meaning }]) => {
    return [`\`${name}\``, on, isPublished ? 'yes' : 'no', meaning]
  })
  return table(['Extension', 'On', 'Published', 'Meaning'], rows)
}

function operationsTable({ paths }: Document): string {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation
        ? [[`\`${method.toUpperCase()} ${path}\``, `\`${operation.operationId}\``, operation.summary]]
        : []
    }),
  )
  return table(['Request', 'Operation', 'Summary'], rows)
}

/** Returns the text of a tag that has no operations. */
function guide({ tags }: Document, name: string): string {
  return tags.find((tag) => tag.name === name)?.description ?? ''
}

function codeBlock(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  return lines.join('\n')
}
