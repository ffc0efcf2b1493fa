import { readFile } from 'node:fs/promises'
import type { Language } from '../../src/messages/index.ts'
import type { Document, Schema } from '../generate/document/openapi.ts'
import { markdownTable } from '../generate/markdown.ts'

const HEADS = {
  en: { errors: ['Status', '`Error-Code`', 'Meaning'], fields: ['Code', 'Meaning'] },
  ar: { errors: ['الحالة', '`Error-Code`', 'المعنى'], fields: ['الرمز', 'المعنى'] },
} as const

/** Where the page of the generators keeps its table */
const SDKS_PAGE = 'docs/sdks.md'

/** Returns the generated tables of the guides, by name, as Markdown, in the language of the document. */
export async function guideTables({ components }: Document, language: Language): Promise<Record<string, string>> {
  const { ErrorCode = {}, FieldCode = {} } = components.schemas
  return {
    errors: codesTable(ErrorCode, HEADS[language].errors),
    fields: codesTable(FieldCode, HEADS[language].fields),
    sdks: await sdksTable(),
  }
}

function codesTable(schema: Schema, head: readonly string[]): string {
  const statuses = schema['x-tawthiq-statuses']
  const rows = Object.entries(schema['x-enumDescriptions'] ?? {}).map(([code, meaning]) => [
    ...(statuses ? [String(statuses[code])] : []),
    `\`${code}\``,
    meaning,
  ])
  return markdownTable(head, rows)
}

/** Returns the tables of the page of the generators, which `npm run sdks` writes, or nothing if it has none. */
async function sdksTable(): Promise<string> {
  const page = await readFile(SDKS_PAGE, 'utf8').catch(() => '')
  return (/(?:^\|.*\|\n)+/m.exec(page) ?? [''])[0].replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')
}
