// The reference as one page that needs no script: for print, for text browsers, and for the last release.
import MarkdownIt from 'markdown-it'
import type Token from 'markdown-it/lib/token.mjs'
import { isObject, METHODS, responseAt, type Document, type Operation } from '../generate/document/openapi.ts'
import { escape, renderTabs } from './code.ts'
import { linkFrom, type SiteFile } from './files.ts'
import { describe, renderSchemas, table, typeOf, type RenderText } from './schemas.ts'
import { REFERENCE_PATH, RELEASED_REFERENCE_PATH, renderPage, TEXT_REFERENCE_PATH, type Assets } from './shell.ts'

export type PublishedDocument = Document & {
  info: Record<'title' | 'version' | 'summary' | 'description', string>
  'x-tagGroups': { name: string; tags: string[] }[]
}
type Named = { method: string; path: string; operation: Operation }

/** Returns the pages of the present document and of the last release. */
export function renderTextReferences(
  present: PublishedDocument,
  released: PublishedDocument,
  assets: Assets,
): SiteFile[] {
  const { title } = present.info
  const last = `API reference of ${released.info.version}, the last release`
  return [
    renderReference(
      present,
      { path: TEXT_REFERENCE_PATH, title: `${title} API reference`, other: [RELEASED_REFERENCE_PATH, last] },
      assets,
    ),
    renderReference(
      released,
      { path: RELEASED_REFERENCE_PATH, title: last, other: [TEXT_REFERENCE_PATH, 'API reference of this version'] },
      assets,
    ),
  ]
}

type Edition = { path: string; title: string; other: readonly [path: string, title: string] }

function renderReference(document: PublishedDocument, { path, title, other }: Edition, assets: Assets): SiteFile {
  const renderText = textRenderer(path)
  const operations = listNamed(document)
  const tags = tagsInOrder(document).map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name))
    const sections = own.map((named) => renderOperation(document, named, renderText))
    return [`<h2 id="${anchorOf(name)}">${escape(name)}</h2>`, renderText(description, 2), ...sections].join('\n')
  })
  const [otherPath, otherTitle] = other
  const content = `<p class="summary">${escape(document.info.summary)}</p>
<ul>
<li><a href="${linkFrom(path, REFERENCE_PATH)}">Interactive API reference</a></li>
<li><a href="${linkFrom(path, otherPath)}">${escape(otherTitle)}</a></li>
</ul>
${renderText(document.info.description, 1)}
${tags.join('\n')}
<h2 id="schemas">Schemas</h2>
${renderSchemas(document, renderText)}`
  const menu = { label: 'Contents', html: renderMenu(tagsInOrder(document)) }
  return renderPage({ language: 'en', path, title, summary: document.info.summary, content, menu }, assets)
}

/** Returns the tags in the order of their groups, as the interactive reference shows them. */
function tagsInOrder({ tags, 'x-tagGroups': groups }: PublishedDocument): Document['tags'] {
  return groups.flatMap((group) => group.tags.flatMap((name) => tags.find((tag) => tag.name === name) ?? []))
}

function renderMenu(tags: Document['tags']): string {
  const items = [...tags.map(({ name }) => name), 'Schemas']
  return `<ul>${items.map((name) => `<li><a href="#${anchorOf(name)}">${escape(name)}</a></li>`).join('')}</ul>`
}

/** Lists operations and webhooks. */
function listNamed({ paths, webhooks }: Document): Named[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ method: method.toUpperCase(), path, operation }] : []
    }),
  )
  const events = Object.entries(webhooks).map(([path, { post }]) => ({
    method: 'Webhook',
    path,
    operation: post as Operation,
  }))
  return [...operations, ...events]
}

function renderOperation(document: Document, { method, path, operation }: Named, renderText: RenderText): string {
  const { operationId, summary, description = '', deprecated, 'x-codeSamples': samples = [] } = operation
  return [
    `<section id="${operationId}"><h3>${escape(summary)}</h3>`,
    `<p><code dir="ltr">${method} ${escape(path)}</code>${deprecated === true ? ' <strong>deprecated</strong>' : ''}</p>`,
    renderText(description),
    renderParameters(document, operation, renderText),
    renderBody(operation, renderText),
    renderResponses(document, operation, renderText),
    samples.length > 0 ? renderTabs(samples.map(({ lang, label, source }) => ({ label, source, language: lang }))) : '',
    '</section>',
  ].join('\n')
}

function renderParameters({ components }: Document, { parameters = [] }: Operation, renderText: RenderText): string {
  const rows = parameters.filter(isObject).map((node) => {
    const { $ref } = node
    const own = typeof $ref === 'string' ? components.parameters[$ref.split('/').at(-1) ?? ''] : node
    if (!isObject(own)) throw new Error(`the document has no parameter ${String($ref)}`)
    const { name, in: place, required, description, schema } = own
    const type = isObject(schema) ? schema : {}
    const cells = [
      `<code>${String(name)}</code>${required === true ? '<br>required' : ''}`,
      String(place),
      typeOf(type),
    ]
    return [...cells, describe({ ...type, description }, renderText)]
  })
  return rows.length > 0 ? `<h4>Parameters</h4>${table(['Name', 'In', 'Type', 'Description'], rows)}` : ''
}

function renderBody({ requestBody }: Operation, renderText: RenderText): string {
  if (!requestBody) return ''
  const { required, content, description } = requestBody as typeof requestBody & { description?: string }
  const rows = Object.entries(content).map(([type, media]) => [`<code>${type}</code>`, schemaOf(media)])
  const text = renderText(description ?? '')
  return `<h4>Request body${required === true ? '' : ' (optional)'}</h4>${text}${table(['Media type', 'Schema'], rows)}`
}

function renderResponses(document: Document, { responses }: Operation, renderText: RenderText): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description = '', content = {}, headers = {} } = responseAt(document, response)
    const codes = headers['Error-Code']
    const schema = isObject(codes) && isObject(codes['schema']) ? codes['schema'] : {}
    const words = ((schema['enum'] ?? []) as string[]).map((code) => `<code>${code}</code>`).join(' ')
    const bodies = Object.values(content).map(schemaOf)
    return [status, renderText(description) + words, bodies.join('<br>')]
  })
  return `<h4>Responses</h4>${table(['Status', 'Description', 'Body'], rows)}`
}

function schemaOf(media: unknown): string {
  return isObject(media) && isObject(media['schema']) ? typeOf(media['schema']) : ''
}

/** Descriptions begin with headings of this level, which become that below their section. */
const FIRST_LEVEL = 3

/** The level of the heading that a description is below */
type Env = { section: number }

/** Returns a function that renders Markdown of the document, with links that work on the page. */
function textRenderer(path: string): RenderText {
  const markdown = new MarkdownIt({ html: false, linkify: false })
  const { rules } = markdown.renderer
  rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
  rules['table_close'] = () => '</table></div>\n'
  rules['heading_open'] = (tokens, index, _options, env: Env) => `<h${levelOf(tokens[index], env)}>`
  rules['heading_close'] = (tokens, index, _options, env: Env) => `</h${levelOf(tokens[index], env)}>`
  return (text, section = 3) =>
    markdown.render(
      text.replaceAll(
        /\]\((\/docs\/[^)#]*)(#[^)]*)?\)/g,
        (_, target: string, anchor = '') => `](${linkFrom(path, `${target}index.html`)}${anchor as string})`,
      ),
      { section },
    )
}

function levelOf(token: Token | undefined, { section }: Env): number {
  return Number(token?.tag.slice(1)) - FIRST_LEVEL + section + 1
}

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
