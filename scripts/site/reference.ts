// The reference: a page for each tag, with the same content in each language. No page needs a script.
import type { Language } from '../../src/messages/index.ts'
import { listRoutes, type Document, type Operation } from '../generate/document/openapi.ts'
import { escape } from './code.ts'
import { linkFrom, type SiteFile } from './files.ts'
import { LANGUAGES, OTHER } from './guide-names.ts'
import { renderOperation, type Named } from './reference-operation.ts'
import { REFERENCE_WORDS, renderWords, textRenderer } from './reference-words.ts'
import { renderSchemas, type Rendering } from './schemas.ts'
import { referencePath, RELEASED_REFERENCE, renderNeighbours, renderPage, tagAnchor, type Assets } from './shell.ts'

type Tag = Document['tags'][number] & { 'x-displayName'?: string }
export type PublishedDocument = Document & {
  info: Record<'title' | 'version' | 'summary' | 'description', string>
  'x-tagGroups': { name: string; tags: string[] }[]
}
type Documents = Readonly<Record<Language | 'released', PublishedDocument>>

/** A document in a language, in a folder of the site */
type Edition = Readonly<{
  document: PublishedDocument
  language: Language
  title: string
  pathOf(page: string): string
  /** The language of the same page in another folder, if there is one */
  translation?: Language
  /** Whether requests can be sent from the pages */
  canTry: boolean
}>

const SCHEMAS_PAGE = 'schemas'

/** Returns the pages of the present document in both languages, and of the last release. */
export function renderReferences({ released, ...documents }: Documents, assets: Assets): SiteFile[] {
  const editions: Edition[] = [
    ...LANGUAGES.map((language) => ({
      document: documents[language],
      language,
      title: REFERENCE_WORDS[language].title,
      pathOf: (page: string) => referencePath(language, page),
      translation: OTHER[language],
      canTry: true,
    })),
    {
      document: released,
      language: 'en',
      title: `API reference of ${released.info.version}, the last release`,
      pathOf: (page) => referencePath('en', page, RELEASED_REFERENCE),
      canTry: false,
    },
  ]
  return editions.flatMap((edition) => [
    renderIndex(edition, assets),
    ...tagsWithOperations(edition.document).map((tag) => renderTag(edition, tag, assets)),
    renderSchemasPage(edition, assets),
  ])
}

/** The first page: what holds for all operations, and a list of them. */
function renderIndex(edition: Edition, assets: Assets): SiteFile {
  const { document, language, title, pathOf } = edition
  const path = pathOf('')
  const { renderText } = renderingOf(edition, path)
  const listed = new Set(tagsWithOperations(document))
  const guides = tagsInOrder(document).filter((tag) => !listed.has(tag))
  const sections = guides.map((tag) => {
    const heading = `<h2 id="${tagAnchor(tag.name)}">${renderWords(titleOf(tag), language)}</h2>`
    return `${heading}\n${renderText(tag.description, 2)}`
  })
  const operations = [...listed].map((tag) => {
    const items = operationsOf(document, tag).map(({ method, path: address, operation }) => {
      const link = `${linkFrom(path, pathOf(tagAnchor(tag.name)))}#${operation.operationId}`
      const code = `<code dir="ltr">${escape(`${method} ${address}`.trim())}</code>`
      return `<li id="operation/${operation.operationId}"><a href="${link}">${renderWords(operation.summary, language)}</a> ${code}</li>`
    })
    return `<h3>${renderWords(titleOf(tag), language)}</h3>\n<ul>${items.join('\n')}</ul>`
  })
  const words = REFERENCE_WORDS[language]
  const content = `<p class="summary">${renderWords(document.info.summary, language)}</p>
${renderText(document.info.description, 1)}
<h2 id="operations">${words.operations}</h2>
${operations.join('\n')}
${sections.join('\n')}`
  return page(edition, { name: '', title, content }, assets)
}

function renderTag(edition: Edition, tag: Tag, assets: Assets): SiteFile {
  const { document, pathOf } = edition
  const name = tagAnchor(tag.name)
  const rendering = renderingOf(edition, pathOf(name))
  const operations = operationsOf(document, tag).map((named) => renderOperation(document, named, rendering))
  const content = [rendering.renderText(tag.description, 1), ...operations].join('\n')
  return page(edition, { name, title: titleOf(tag), content }, assets)
}

function renderSchemasPage(edition: Edition, assets: Assets): SiteFile {
  const { document, language, pathOf } = edition
  const content = renderSchemas(document, renderingOf(edition, pathOf(SCHEMAS_PAGE)))
  return page(edition, { name: SCHEMAS_PAGE, title: REFERENCE_WORDS[language].schemas, content }, assets)
}

type Content = { name: string; title: string; content: string }

/** Returns a page of an edition, with its menu and the pages before and after it. */
function page(edition: Edition, { name, title, content }: Content, assets: Assets): SiteFile {
  const { document, language, translation, pathOf } = edition
  const path = pathOf(name)
  const words = REFERENCE_WORDS[language]
  const order = [
    { path: pathOf(''), title: edition.title },
    ...tagsWithOperations(document).map((tag) => ({ path: pathOf(tagAnchor(tag.name)), title: titleOf(tag) })),
    { path: pathOf(SCHEMAS_PAGE), title: words.schemas },
  ]
  return renderPage(
    {
      ...{ language, path, title },
      summary: document.info.summary,
      content: content + renderNeighbours(path, order, language),
      menu: { label: words.menu, html: renderMenu(edition, name) },
      ...(translation && { translation: { language: translation, path: referencePath(translation, name) } }),
    },
    assets,
  )
}

function renderMenu({ document, language, pathOf }: Edition, current: string): string {
  const path = pathOf(current)
  const item = (name: string, text: string, inner = ''): string => {
    const mark = name === current ? ' aria-current="page"' : ''
    return `<li><a href="${linkFrom(path, pathOf(name))}"${mark}>${renderWords(text, language)}</a>${inner}</li>`
  }
  const tags = tagsWithOperations(document).map((tag) => {
    const name = tagAnchor(tag.name)
    if (name !== current) return item(name, titleOf(tag))
    const operations = operationsOf(document, tag).map(
      ({ operation }) => `<li><a href="#${operation.operationId}">${renderWords(operation.summary, language)}</a></li>`,
    )
    return item(name, titleOf(tag), `<ul>${operations.join('')}</ul>`)
  })
  const words = REFERENCE_WORDS[language]
  return `<ul>${item('', words.title)}${tags.join('')}${item(SCHEMAS_PAGE, words.schemas)}</ul>`
}

function renderingOf({ language, canTry, pathOf }: Edition, path: string): Rendering {
  const schemas = path === pathOf(SCHEMAS_PAGE) ? '' : linkFrom(path, pathOf(SCHEMAS_PAGE))
  return { language, words: REFERENCE_WORDS[language], renderText: textRenderer(path, language), schemas, canTry }
}

function tagsInOrder({ tags, 'x-tagGroups': groups }: PublishedDocument): Tag[] {
  return groups.flatMap((group) => group.tags.flatMap((name) => tags.find((tag) => tag.name === name) ?? []))
}

function tagsWithOperations(document: PublishedDocument): Tag[] {
  return tagsInOrder(document).filter((tag) => operationsOf(document, tag).length > 0)
}

function titleOf({ name, 'x-displayName': title = name }: Tag): string {
  return title
}

function operationsOf(document: Document, { name }: Tag): Named[] {
  const operations = listRoutes(document).map((route) => ({ ...route, route, method: route.method.toUpperCase() }))
  const events = Object.entries(document.webhooks).map(([path, { post }]) => {
    return { method: '', path, operation: post as Operation }
  })
  return [...operations, ...events].filter(({ operation }) => operation.tags?.[0] === name)
}
