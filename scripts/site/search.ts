// What the search of the pages finds: sections of guides, and operations.
import { listRoutes, type Document } from '../generate/document/openapi.ts'
import type { Language } from '../../src/messages/index.ts'
import { linkFrom } from './files.ts'
import type { Guide } from './guide-names.ts'
import { REFERENCES } from './shell.ts'

/** An entry of the index. `url` is relative to the directory of the site, `parent` is the page of a section. */
type Entry = { title: string; parent: string; url: string; text: string }

/** The page that the links of the index start from */
const ROOT = '/index.html'

/** Returns the index of a language, as JSON. */
export function searchIndex(language: Language, guides: readonly Guide[], document: Document): string {
  const own = guides.filter((guide) => guide.language === language)
  return JSON.stringify([...own.flatMap(guideEntries), ...operationEntries(document, language)])
}

/** Returns an entry for each section of a guide. */
function guideEntries({ title, path, html, language, summary }: Guide): Entry[] {
  const url = linkFrom(ROOT, path)
  const [first = '', ...sections] = html.split(/(?=<h2 id=)/)
  const entry = { title, parent: language === 'ar' ? 'دليل' : 'Guide', url, text: `${summary} ${plain(first)}` }
  return [
    entry,
    ...sections.map((section) => {
      const [, id = '', heading = ''] = /^<h2 id="([^"]+)">(.*?)<\/h2>/s.exec(section) ?? []
      return { title: plain(heading), parent: title, url: `${url}#${id}`, text: plain(section) }
    }),
  ]
}

function operationEntries(document: Document, language: Language): Entry[] {
  const { path: reference, anchor } = REFERENCES[language]
  return listRoutes(document).map(({ path, method, operation }) => {
    const { operationId, summary, description = '' } = operation
    const url = `${linkFrom(ROOT, reference)}#${anchor}${operationId}`
    return { title: summary, parent: `${method.toUpperCase()} ${path}`, url, text: `${operationId} ${description}` }
  })
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
