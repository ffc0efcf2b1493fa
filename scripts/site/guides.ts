import { readFile } from 'node:fs/promises'
import { LIMITS } from '../../generated/limits.ts'
import type { Language } from '../../src/messages/index.ts'
import { fillIn } from '../generate/document/limits.ts'
import type { Document, Schema } from '../generate/document/openapi.ts'
import { markdownTable } from '../generate/markdown.ts'
import { fixedFile, type SiteFile } from './files.ts'
import { guidePath, GUIDES, LANGUAGES, type Guide, type GuideName } from './guide-names.ts'
import { markdownRenderer } from './markdown.ts'

const HEADS = {
  en: { errors: ['Status', '`Error-Code`', 'Meaning'], fields: ['Code', 'Meaning'] },
  ar: { errors: ['الحالة', '`Error-Code`', 'المعنى'], fields: ['الرمز', 'المعنى'] },
} as const

/** Reads docs/guides, with numbers and tables filled in. */
export async function readGuides(documents: Readonly<Record<Language, Document>>): Promise<Guide[]> {
  const keys = LANGUAGES.flatMap((language) => GUIDES.map((name) => ({ language, name })))
  return Promise.all(keys.map(({ language, name }) => readGuide(language, name, documents[language])))
}

async function readGuide(language: Language, name: GuideName, document: Document): Promise<Guide> {
  const file = `docs/guides/${language}/${name}.md`
  const tables = await guideTables(document, language)
  const source = (await readFile(file, 'utf8')).replaceAll(/^<!-- table: (\S+) -->$/gm, (_, table: string) => {
    const text = tables[table]
    if (text === undefined) throw new Error(`${file}: there is no table ${table}`)
    return text
  })
  const text = fillIn(`${source} `, LIMITS, language) as string // a placeholder alone would become a number
  const path = guidePath(language, name)
  const { html, title, summary, headings } = markdownRenderer(document, language, path, file)(text)
  return { name, language, path, title, summary, headings, html, source: text }
}

/** Returns the generated tables of the guides, by name, as Markdown, in the language of the document. */
async function guideTables({ components }: Document, language: Language): Promise<Record<string, string>> {
  const { ErrorCode = {}, FieldCode = {} } = components.schemas
  return {
    errors: codesTable(ErrorCode, HEADS[language].errors),
    fields: codesTable(FieldCode, HEADS[language].fields),
    sdks: await tableIn(),
    tokens: await tableIn('tokens'),
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

/** Returns the first table of the page of the generators, or of a section of it, or nothing if it has none. */
async function tableIn(section?: string): Promise<string> {
  const page = await readFile('docs/sdks.md', 'utf8').catch(() => '')
  const text = section === undefined ? page : page.slice(page.indexOf(`<!-- ${section} -->`))
  return (/(?:^\|.*\|\n)+/m.exec(text) ?? [''])[0].replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')
}

/** Returns `/llms.txt` (llmstxt.org), and the English guides as the Markdown that it lists. */
export function llmsFiles(guides: readonly Guide[]): SiteFile[] {
  const own = guides.filter(({ language }) => language === 'en')
  const pages = own.map((guide) => ({ guide, path: guide.path.replace(/\.html$/, '.md') }))
  const [index] = own
  const lines = pages.slice(1).map(({ guide, path }) => `- [${guide.title}](${path}): ${guide.summary}`)
  const text = `# Tawthiq

> ${index?.summary ?? ''}

## API

- [OpenAPI 3.1 document](/openapi.json): every operation, with schemas, examples and errors
- [OpenAPI 3.0 edition](/openapi-3.0.json): for generators that need it

## Guides

${lines.join('\n')}
`
  return [fixedFile('/llms.txt', text), ...pages.map(({ guide, path }) => fixedFile(path, guide.source))]
}
