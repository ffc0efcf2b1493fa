// The reference as one page that needs no script: for print, for text browsers, in Arabic, and for the last release.
import type { Language } from '../../src/messages/index.ts'
import { isObject, listRoutes, responseAt, type Document, type Operation } from '../generate/document/openapi.ts'
import { escape, renderTabs } from './code.ts'
import { linkFrom, type SiteFile } from './files.ts'
import { REFERENCE_WORDS, renderWords } from './reference-words.ts'
import { textRenderer } from './reference-markdown.ts'
import { describe, renderSchemas, table, typeOf, type Rendering } from './schemas.ts'
import {
  ARABIC_REFERENCE_PATH,
  REFERENCE_PATH,
  RELEASED_REFERENCE_PATH,
  renderPage,
  TEXT_REFERENCE_PATH,
  type Assets,
  type Page,
} from './shell.ts'

type Tag = Document['tags'][number] & { 'x-displayName'?: string }
export type PublishedDocument = Document & {
  info: Record<'title' | 'version' | 'summary' | 'description', string>
  'x-tagGroups': { name: string; tags: string[] }[]
}
type Named = { method: string; path: string; operation: Operation }
type Documents = Readonly<Record<'present' | 'arabic' | 'released', PublishedDocument>>

/** Returns the pages of the present document in both languages, and of the last release. */
export function renderTextReferences({ present, arabic, released }: Documents, assets: Assets): SiteFile[] {
  const { title } = present.info
  const last = `API reference of ${released.info.version}, the last release`
  const english = { language: 'en', path: TEXT_REFERENCE_PATH } as const
  const inArabic = { language: 'ar', path: ARABIC_REFERENCE_PATH } as const
  const current = { ...english, title: `${title} API reference`, other: [RELEASED_REFERENCE_PATH, last] } as const
  const former = { language: 'en', path: RELEASED_REFERENCE_PATH, title: last } as const
  return [
    renderReference(present, { ...current, translation: inArabic }, assets),
    renderReference(arabic, { ...inArabic, title: REFERENCE_WORDS.ar.title, translation: english }, assets),
    renderReference(released, { ...former, other: [TEXT_REFERENCE_PATH, 'API reference of this version'] }, assets),
  ]
}

type Edition = Pick<Page, 'language' | 'path' | 'title' | 'translation'> & {
  other?: readonly [path: string, title: string]
}

function renderReference(document: PublishedDocument, edition: Edition, assets: Assets): SiteFile {
  const { language, path, title, other, translation } = edition
  const words = REFERENCE_WORDS[language]
  const rendering = { language, words, renderText: textRenderer(path, language) }
  const operations = listNamed(document)
  const tags = tagsInOrder(document).map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(tag.name))
    const sections = own.map((named) => renderOperation(document, named, rendering))
    const heading = `<h2 id="${anchorOf(tag.name)}">${renderWords(titleOf(tag), language)}</h2>`
    return [heading, rendering.renderText(tag.description, 2), ...sections].join('\n')
  })
  const links = [[REFERENCE_PATH, words.interactive] as const, ...(other ? [other] : [])]
  const content = `<p class="summary">${renderWords(document.info.summary, language)}</p>
<ul>
${links.map(([target, text]) => `<li><a href="${linkFrom(path, target)}">${text}</a></li>`).join('\n')}
</ul>
${rendering.renderText(document.info.description, 1)}
${tags.join('\n')}
<h2 id="schemas">${words.schemas}</h2>
${renderSchemas(document, rendering)}`
  const menu = { label: words.menu, html: renderMenu(tagsInOrder(document), language) }
  const { summary } = document.info
  return renderPage({ language, path, title, summary, content, menu, ...(translation && { translation }) }, assets)
}

/** Returns the tags in the order of their groups, as the interactive reference shows them. */
function tagsInOrder({ tags, 'x-tagGroups': groups }: PublishedDocument): Tag[] {
  return groups.flatMap((group) => group.tags.flatMap((name) => tags.find((tag) => tag.name === name) ?? []))
}

function titleOf({ name, 'x-displayName': title = name }: Tag): string {
  return title
}

function renderMenu(tags: readonly Tag[], language: Language): string {
  const schemas = { name: 'schemas', description: '', 'x-displayName': REFERENCE_WORDS[language].schemas }
  const items = [...tags, schemas].map(
    (tag) => `<li><a href="#${anchorOf(tag.name)}">${renderWords(titleOf(tag), language)}</a></li>`,
  )
  return `<ul>${items.join('')}</ul>`
}

/** Lists operations and webhooks. */
function listNamed(document: Document): Named[] {
  const operations = listRoutes(document).map(({ method, ...route }) => ({ ...route, method: method.toUpperCase() }))
  const events = Object.entries(document.webhooks).map(([path, { post }]) => ({
    method: '',
    path,
    operation: post as Operation,
  }))
  return [...operations, ...events]
}

function renderOperation(document: Document, { method, path, operation }: Named, rendering: Rendering): string {
  const { words, language, renderText } = rendering
  const { operationId, summary, description = '', deprecated, 'x-codeSamples': samples = [] } = operation
  const code = `<code dir="ltr">${escape(`${method} ${path}`.trim())}</code>`
  const address = method === '' ? `${words.webhook} ${code}` : code
  return [
    `<section id="${operationId}"><h3>${renderWords(summary, language)}</h3>`,
    `<p>${address}${deprecated === true ? ` <strong>${words.deprecated}</strong>` : ''}</p>`,
    renderText(description),
    renderParameters(document, operation, rendering),
    renderBody(operation, rendering),
    renderResponses(document, operation, rendering),
    samples.length > 0 ? renderTabs(samples.map(({ lang, label, source }) => ({ label, source, language: lang }))) : '',
    '</section>',
  ].join('\n')
}

function renderParameters({ components }: Document, { parameters = [] }: Operation, rendering: Rendering): string {
  const { words } = rendering
  const rows = parameters.filter(isObject).map((node) => {
    const { $ref } = node
    const own = typeof $ref === 'string' ? components.parameters[$ref.split('/').at(-1) ?? ''] : node
    if (!isObject(own)) throw new Error(`the document has no parameter ${String($ref)}`)
    const { name, in: place, required, description, schema } = own
    const type = isObject(schema) ? schema : {}
    const cells = [
      `<code>${String(name)}</code>${required === true ? `<br>${words.required}` : ''}`,
      words.places[String(place)] ?? String(place),
      typeOf(type, rendering),
    ]
    return [...cells, describe({ ...type, description }, rendering)]
  })
  return rows.length > 0 ? `<h4>${words.parameters}</h4>${table(words.parameterHead, rows)}` : ''
}

function renderBody({ requestBody }: Operation, rendering: Rendering): string {
  if (!requestBody) return ''
  const { words, renderText } = rendering
  const { required, content, description } = requestBody as typeof requestBody & { description?: string }
  const rows = Object.entries(content).map(([type, media]) => [`<code>${type}</code>`, schemaOf(media, rendering)])
  const heading = `<h4>${words.requestBody}${required === true ? '' : ` (${words.optional})`}</h4>`
  return heading + renderText(description ?? '') + table(words.bodyHead, rows)
}

function renderResponses(document: Document, { responses }: Operation, rendering: Rendering): string {
  const { words, renderText } = rendering
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description = '', content = {}, headers = {} } = responseAt(document, response)
    const codes = headers['Error-Code']
    const schema = isObject(codes) && isObject(codes['schema']) ? codes['schema'] : {}
    const shown = ((schema['enum'] ?? []) as string[]).map((code) => `<code>${code}</code>`).join(' ')
    const bodies = Object.values(content).map((media) => schemaOf(media, rendering))
    return [status, renderText(description) + shown, bodies.join('<br>')]
  })
  return `<h4>${words.responses}</h4>${table(words.responseHead, rows)}`
}

function schemaOf(media: unknown, rendering: Rendering): string {
  return isObject(media) && isObject(media['schema']) ? typeOf(media['schema'], rendering) : ''
}

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
