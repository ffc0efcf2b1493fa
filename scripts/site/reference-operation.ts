// The section of an operation: parameters, body, responses, examples and samples.
import { codeSamples } from '../generate/document/code-samples.ts'
import {
  isObject,
  parametersOf,
  resolveSchema,
  responseAt,
  takesToken,
  type Document,
  type Media,
  type Node,
  type Operation,
  type Route,
} from '../generate/document/openapi.ts'
import { escape, renderCode, renderTabs } from './code.ts'
import { renderWords } from './reference-words.ts'
import { describe, renderMembers, table, typeOf, type Rendering } from './schemas.ts'

/** An operation or, without a route, a webhook */
export type Named = { method: string; path: string; operation: Operation; route?: Route }

export function renderOperation(document: Document, named: Named, rendering: Rendering): string {
  const { method, path, operation, route } = named
  const { words, language, renderText, canTry } = rendering
  const { operationId, summary, description = '', deprecated } = operation
  const code = `<code dir="ltr">${escape(`${method} ${path}`.trim())}</code>`
  const facts = [
    route ? code : `${words.webhook} ${code}`,
    ...(route && takesToken(document, operation) ? [`<span>${words.token}</span>`] : []),
    ...(deprecated === true ? [`<strong>${words.deprecated}</strong>`] : []),
  ]
  const attempt = route && canTry ? ` data-try="${escape(JSON.stringify(describeRequest(document, route)))}"` : ''
  return [
    `<section id="${operationId}"${attempt}><h2>${renderWords(summary, language)}</h2>`,
    `<p>${facts.join(' · ')}</p>`,
    renderText(description, 2),
    route ? renderTabs(codeSamples(document, route).map(({ lang, ...sample }) => ({ ...sample, language: lang }))) : '',
    renderParameters(document, operation, rendering),
    renderBody(document, operation, rendering),
    renderResponses(document, operation, rendering),
    '</section>',
  ].join('\n')
}

/** Returns what the form that sends a request needs to know. */
function describeRequest(document: Document, { path, method, operation }: Route): object {
  const { requestBody } = operation
  const content = Object.entries(requestBody?.content ?? {}) as [string, Media][]
  const [media, body] = content.find(([, { schema }]) => filesIn(document, schema).length > 0) ?? content[0] ?? []
  return {
    method,
    path,
    parameters: parametersOf(document, operation).map(({ name, place, isRequired, example }) => {
      return { name, place, isRequired, example }
    }),
    isSecured: takesToken(document, operation),
    ...(body && { media, files: filesIn(document, body.schema) }),
  }
}

function filesIn(document: Document, schema: unknown): string[] {
  const node = isObject(schema) ? resolveSchema(document, schema) : {}
  const variants = (node['oneOf'] ?? node['anyOf'] ?? []) as unknown[]
  const own = Object.entries(isObject(node['properties']) ? node['properties'] : {})
  const names = own.flatMap(([name, property]) =>
    isObject(property) && resolveSchema(document, property)['format'] === 'binary' ? [name] : [],
  )
  return [...new Set([...names, ...variants.flatMap((variant) => filesIn(document, variant))])]
}

function renderParameters(document: Document, operation: Operation, rendering: Rendering): string {
  const { words } = rendering
  const rows = parametersOf(document, operation).map(({ name, place, isRequired, schema, description }) => [
    `<code>${name}</code>${isRequired ? `<br>${words.required}` : ''}`,
    words.places[place] ?? place,
    typeOf(schema, rendering),
    describe({ ...schema, description }, rendering),
  ])
  return rows.length > 0 ? `<h3>${words.parameters}</h3>${table(words.parameterHead, rows)}` : ''
}

function renderBody(document: Document, { requestBody }: Operation, rendering: Rendering): string {
  if (!requestBody) return ''
  const { words, renderText } = rendering
  const { required, content, description } = requestBody as typeof requestBody & { description?: string }
  const bodies = Object.entries(content) as [string, Media][]
  const rows = bodies.map(([type, media]) => [`<code>${type}</code>`, schemaOf(media, rendering)])
  const schemas = new Set(bodies.map(([, { schema }]) => schema).filter(isObject))
  const shown = new Map([...schemas].map((schema) => [JSON.stringify(schema), schema]))
  return [
    `<h3>${words.requestBody}${required === true ? '' : ` (${words.optional})`}</h3>`,
    renderText(description ?? ''),
    table(words.bodyHead, rows),
    ...[...shown.values()].map((schema) => renderMembers(document, schema, rendering)),
    ...renderExamples(bodies[0]?.[1], words.requestExample, rendering),
  ].join('\n')
}

function renderResponses(document: Document, { responses }: Operation, rendering: Rendering): string {
  const { words, renderText } = rendering
  const found = Object.entries(responses).map(([status, response]) => [status, responseAt(document, response)] as const)
  const rows = found.map(([status, { description = '', content = {}, headers = {} }]) => {
    const codes = headers['Error-Code']
    const schema = isObject(codes) && isObject(codes['schema']) ? codes['schema'] : {}
    const shown = ((schema['enum'] ?? []) as string[]).map((code) => `<code>${code}</code>`).join(' ')
    const bodies = Object.values(content).map((media) => schemaOf(media, rendering))
    return [status, renderText(description) + shown, bodies.join('<br>')]
  })
  const examples = found.flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap((media) => renderExamples(media, `${words.responseExample} ${status}`, rendering)),
  )
  return [`<h3>${words.responses}</h3>${table(words.responseHead, rows)}`, ...examples].join('\n')
}

/** Returns the examples in the language of the page, of which the reader opens one. An example may have one language only. */
function renderExamples(media: Media | undefined, heading: string, { language }: Rendering): string[] {
  const examples = Object.entries(media?.examples ?? {})
  const nameOf = (name: string): string => name.replace(/_(ar|en)$/, '')
  const shown = examples.filter(
    ([name]) => name.endsWith(`_${language}`) || !examples.some(([other]) => other === `${nameOf(name)}_${language}`),
  )
  return shown.map(([, { summary, value }]) => {
    const told = summary.replace(/(?:^|, in )(?:Arabic|English)$/, '')
    const name = /^\w+$/.test(told) ? `<code>${told}</code>` : renderWords(told, language)
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
    return `<details class="example"><summary>${heading}${told && `: ${name}`}</summary>\n${renderCode(text, 'json')}</details>`
  })
}

function schemaOf(media: Media, rendering: Rendering): string {
  const schema = media.schema as Node | undefined
  return schema ? typeOf(schema, rendering) : ''
}
