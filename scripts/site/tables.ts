import { readFile } from 'node:fs/promises'
import { LIMITS } from '../../generated/limits.ts'
import { say, type Language, type MessageKey } from '../../src/messages/index.ts'
import type { Document, Schema } from '../generate/document/openapi.ts'

const HEADS = {
  en: { errors: ['Status', '`Error-Code`', 'Meaning'], fields: ['Code', 'Meaning'] },
  ar: { errors: ['الحالة', '`Error-Code`', 'الرسالة للمستخدم'], fields: ['الرمز', 'الرسالة للمستخدم'] },
} as const

/** Where the page of the generators keeps its table */
const SDKS_PAGE = 'docs/sdks.md'

/** Returns the generated tables of the guides, by name, as Markdown. */
export async function guideTables({ components }: Document, language: Language): Promise<Record<string, string>> {
  const { ErrorCode = {}, FieldCode = {} } = components.schemas
  return {
    errors: codesTable(ErrorCode, language, HEADS[language].errors),
    fields: codesTable(FieldCode, language, HEADS[language].fields),
    sdks: await sdksTable(),
  }
}

/** English readers get the description of a code, and Arabic readers the message that the service returns with it. */
function codesTable(schema: Schema, language: Language, head: readonly string[]): string {
  const statuses = schema['x-tawthiq-statuses']
  const rows = Object.entries(schema['x-enumDescriptions'] ?? {}).map(([code, meaning]) => [
    ...(statuses ? [String(statuses[code])] : []),
    `\`${code}\``,
    language === 'en' ? meaning : arabicMessage(code as MessageKey),
  ])
  return markdownTable(head, rows)
}

/** The limit of a field differs by field. */
function arabicMessage(code: MessageKey): string {
  const values = { limit: '…', min: LIMITS.age.years_min, max: LIMITS.age.years_max }
  return code === 'invalid_data' ? '`invalid_data`' : say('ar', code, values)
}

/** Returns the tables of the page of the generators, which `npm run sdks` writes, or nothing if it has none. */
async function sdksTable(): Promise<string> {
  const page = await readFile(SDKS_PAGE, 'utf8').catch(() => '')
  return (/(?:^\|.*\|\n)+/m.exec(page) ?? [''])[0].replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')
}

function markdownTable(head: readonly string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  return lines.join('\n')
}
