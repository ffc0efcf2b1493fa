// The marks of personal data in the document, against the columns that exports contain and erasure deletes.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { listReferences } from '../../scripts/generate/document/for-clients.ts'
import { readDocument } from '../../scripts/generate/document/document.ts'
import type { Document } from '../../scripts/generate/document/openapi.ts'
import { COLUMNS } from '../../generated/columns.ts'
import { snakeCase } from '../../src/database/sql.ts'
import { STORED, type StoredTable } from '../support/accounts/stored-columns.ts'

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document

type Property = { 'x-personal-data'?: { category: string; purpose: string } }

/** The names of marked properties in the schemas that a schema refers to */
function markedIn(root: string): Set<string> {
  const names = listReferences(document, { $ref: `#/components/schemas/${root}` })
  return new Set([...names].flatMap((name) => marksOf(document.components.schemas[name.replace('schemas/', '')])))
}

function marksOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: Record<string, Property> }
  const own = Object.entries(properties).filter(([, property]) => property['x-personal-data'] !== undefined)
  return [...own.map(([name]) => name), ...Object.values(schema).flatMap(marksOf)]
}

/** Columns whose property has another name */
const PROPERTIES: Readonly<Record<string, string>> = {
  phone_verified_at: 'phone_verified',
  email_verified_at: 'email_verified',
  factors_reset_at: 'reset_at',
  birth_date: 'year',
  degree_id: 'degree',
  general_specialty_id: 'general_specialty',
  accurate_specialty_id: 'accurate_specialty',
  functional_case_id: 'functional_cases',
  section_id: 'sections',
  licence_no: 'license_no',
  language_id: 'languages',
  user_agent: 'device',
  refreshed_at: 'last_used_at',
  totp_confirmed_at: 'totp_added_at',
  recovery_codes: 'recovery_codes_left',
  backed_up: 'is_backed_up',
}
/** Columns of more than one table, whose properties differ */
const BY_TABLE: Readonly<Record<string, string>> = {
  'files.type': 'media_type',
  'files.created_at': 'uploaded_at',
  'passkeys.created_at': 'added_at',
}

void t.test('every stored column that an export contains is a marked property of it', (t) => {
  const marked = markedIn('AccountExport')
  const exported = Object.values<StoredTable>(STORED).flatMap(({ name, columns }) =>
    Object.keys(columns)
      .filter((column) => columns[column]?.startsWith('exported'))
      .map((column) => `${name}.${snakeCase(column)}`),
  )
  const profile = COLUMNS.profiles.filter((column) => column !== 'account_id').map((column) => `profiles.${column}`)
  for (const place of [...exported, ...profile]) {
    const column = place.split('.')[1] ?? ''
    t.ok(marked.has(BY_TABLE[place] ?? PROPERTIES[column] ?? column), place)
  }
  t.end()
})

void t.test('a property that openapi/personal-data.yaml does not list, or no longer exists, is an error', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  cpSync('openapi', folder, { recursive: true })
  const edit = (file: string, from: string, to: string): void => {
    const text = readFileSync(join('openapi', file), 'utf8')
    writeFileSync(join(folder, file), text.replace(from, to))
  }
  const added = 'properties:\n  blood_type: { type: string, maxLength: 3 }\n'
  edit('components/schemas/ExportedAccount.yaml', 'properties:\n', added)
  await t.rejects(readDocument(folder), /does not list ExportedAccount\.blood_type/)
  edit('components/schemas/ExportedAccount.yaml', '', '')
  edit('personal-data.yaml', '      - duplicate_of\n', '      - duplicate_of\n      - blood_type\n')
  await t.rejects(readDocument(folder), /lists unknown properties: blood_type/)
})

void t.test('the categories and purposes of marks are those of the table, in both languages', async (t) => {
  for (const language of ['en', 'ar'] as const) {
    const { tags, components } = (await readDocument('openapi', language)).document
    const table = tags.find(({ description }) => description.includes('| `identity` |'))?.description ?? ''
    const marks = [
      ...JSON.stringify(components).matchAll(/"x-personal-data":\{"category":"(\w+)","purpose":"(\w+)"\}/g),
    ]
    t.ok(marks.length > 150)
    for (const [, category = '', purpose = ''] of marks)
      t.match(table, new RegExp(`\\| \`${category}\` \\| .+ \\| \`${purpose}\`: \\S`))
  }
})
