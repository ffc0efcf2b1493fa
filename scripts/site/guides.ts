import { readFile } from 'node:fs/promises'
import type { Language } from '../../src/messages/index.ts'
import type { Document } from '../generate/document/openapi.ts'
import { markdownRenderer } from './markdown.ts'
import { fillInNumbers } from './numbers.ts'
import { guideTables } from './tables.ts'

/** The guides in the order of the menu. `index` is the first page of a language. */
export const GUIDES = [
  'index',
  'quick-start',
  'sessions',
  'phone-verification',
  'registration',
  'profile-forms',
  'lookups',
  'errors',
  'rate-limits',
  'languages',
  'sdks',
  'testing',
  'webhooks',
  'versioning',
] as const

export type GuideName = (typeof GUIDES)[number]

export const LANGUAGES: readonly Language[] = ['en', 'ar']

export type Guide = {
  name: GuideName
  language: Language
  path: string
  title: string
  /** The first paragraph, without markup */
  summary: string
  /** The second-level headings with their anchors */
  headings: { id: string; text: string }[]
  html: string
}

/** Reads docs/guides, with numbers and tables filled in. */
export async function readGuides(document: Document): Promise<Guide[]> {
  const keys = LANGUAGES.flatMap((language) => GUIDES.map((name) => ({ language, name })))
  return Promise.all(keys.map(({ language, name }) => readGuide(language, name, document)))
}

export function guidePath(language: Language, name: GuideName): string {
  return name === 'index' ? `/docs/${language}/index.html` : `/docs/${language}/${name}/index.html`
}

async function readGuide(language: Language, name: GuideName, document: Document): Promise<Guide> {
  const file = `docs/guides/${language}/${name}.md`
  const tables = await guideTables(document, language)
  const source = (await readFile(file, 'utf8')).replaceAll(/^<!-- table: (\S+) -->$/gm, (_, table: string) => {
    const text = tables[table]
    if (text === undefined) throw new Error(`${file}: there is no table ${table}`)
    return text
  })
  const text = fillInNumbers(source, language)
  const path = guidePath(language, name)
  const { html, title, summary, headings } = markdownRenderer(document, path, file)(text)
  return { name, language, path, title, summary, headings, html }
}
