// What the search of the pages finds: sections of guides, and operations.
import { listRoutes, type Document } from '../generate/document/openapi.ts'
import type { Language } from '../../src/messages/index.ts'
import { linkFrom } from './files.ts'
import { guidePath, type Guide } from './guide-names.ts'
import { linkToOperation } from './shell.ts'

/** An entry of the index. `url` is relative to the directory of the site, `parent` is the page of a section, and `name` a code. */
type Entry = { title: string; parent: string; url: string; text: string; name?: string }

/** The page that the links of the index start from */
const ROOT = '/index.html'

export function searchIndex(language: Language, guides: readonly Guide[], document: Document): string {
  const own = guides.filter((guide) => guide.language === language)
  const operations = listRoutes(document).map(({ path, method, operation }) => {
    const { operationId, summary, description = '' } = operation
    const url = linkToOperation(ROOT, language, operation)
    return { title: summary, parent: `${method.toUpperCase()} ${path}`, url, text: description, name: operationId }
  })
  return JSON.stringify([...own.flatMap(guideEntries), ...codeEntries(document, language), ...operations])
}

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

/** Returns an entry for each code of errors and fields, which leads to its row of the guide: by its anchor, or by its text. */
function codeEntries({ components }: Document, language: Language): Entry[] {
  const { ErrorCode, FieldCode } = components.schemas
  const codes = Object.entries({ ...FieldCode?.['x-enumDescriptions'], ...ErrorCode?.['x-enumDescriptions'] })
  const url = linkFrom(ROOT, guidePath(language, 'errors'))
  const parent = language === 'ar' ? 'رمز خطأ' : 'Error code'
  const hashOf = (name: string): string => (ErrorCode?.enum?.includes(name) ? name : `:~:text=${name}`)
  return codes.map(([name, text]) => ({ name, title: name, parent, url: `${url}#${hashOf(name)}`, text }))
}

function plain(html: string): string {
  return html
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
