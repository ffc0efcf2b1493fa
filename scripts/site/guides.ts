import { readFile } from 'node:fs/promises'
import { LIMITS } from '../../generated/limits.ts'
import type { Language } from '../../src/messages/index.ts'
import { fillIn } from '../generate/document/limits.ts'
import type { Document } from '../generate/document/openapi.ts'
import { guidePath, GUIDES, LANGUAGES, type Guide, type GuideName } from './guide-names.ts'
import { markdownRenderer } from './markdown.ts'
import { guideTables } from './tables.ts'

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
