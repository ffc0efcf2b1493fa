// Schemas as tables of their members.
import type { Language } from '../../src/messages/index.ts'
import { isObject, resolveSchema, type Document, type Node } from '../generate/document/openapi.ts'
import { escape, renderCode } from './code.ts'
import type { REFERENCE_WORDS } from './reference-words.ts'

/** Renders the Markdown of a description in a section whose heading has this level, 3 by default. */
export type RenderText = (text: string, section?: number) => string

/** How a page shows texts, and its words in its language */
export type Rendering = Readonly<{
  language: Language
  words: (typeof REFERENCE_WORDS)[Language]
  renderText: RenderText
  /** The link to the page of the schemas; empty on it */
  schemas: string
  /** Whether requests can be sent from the page */
  canTry: boolean
}>

const CONDITIONS = ['allOf', 'if', 'then', 'else', 'not', 'dependentRequired']

export function renderSchemas({ components }: Document, rendering: Rendering): string {
  const sections = Object.entries(components.schemas).map(([name, schema]) => {
    return `<section id="schema-${name}"><h2>${name}</h2>\n${renderSchema(schema, rendering)}</section>`
  })
  return sections.join('\n')
}

function renderSchema(schema: Node, rendering: Rendering): string {
  const { words, renderText } = rendering
  const rows = memberRows(schema, '', rendering)
  const conditions = Object.fromEntries(CONDITIONS.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])))
  return [
    renderText(textOf(schema['description'])),
    rows.length > 0
      ? table(words.memberHead, rows)
      : `<p>${typeOf(schema, rendering)}</p>${renderLimits(schema, rendering)}`,
    Object.keys(conditions).length > 0
      ? `<p>${words.conditions}</p>${renderCode(JSON.stringify(conditions, null, 2), 'json')}`
      : '',
  ].join('\n')
}

export function renderMembers(document: Document, schema: Node, rendering: Rendering): string {
  const resolved = resolveSchema(document, schema)
  const forms = (resolved['oneOf'] ?? resolved['anyOf']) as Node[] | undefined
  const sections = forms?.map((form) => {
    const name = nameIn((form as { $ref?: string }).$ref ?? '')
    return `<details><summary><code>${name}</code></summary>${renderMembers(document, form, rendering)}</details>`
  })
  if (sections) return sections.join('\n')
  const rows = memberRows(resolved, '', rendering)
  return rows.length > 0 ? table(rendering.words.memberHead, rows) : ''
}

function memberRows(schema: Node, prefix: string, rendering: Rendering): string[][] {
  const required = new Set(schema['required'] as string[] | undefined)
  return Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).flatMap(([name, member]) => {
    if (!isObject(member)) return []
    const path = prefix + name
    const mark = required.has(name) ? `<br>${rendering.words.required}` : ''
    return [
      [`<code>${path}</code>${mark}`, typeOf(member, rendering), describe(member, rendering)],
      ...memberRows(member, `${path}.`, rendering),
      ...memberRows(itemsOf(member), `${path}[].`, rendering),
    ]
  })
}

export function describe(schema: Node, rendering: Rendering): string {
  return rendering.renderText(textOf(schema['description'])) + renderLimits(schema, rendering)
}

export function typeOf(schema: Node, rendering: Pick<Rendering, 'words' | 'schemas'>): string {
  const { arrayOf, mapOf, or } = rendering.words
  const { $ref, type, format, items, additionalProperties } = schema
  if (typeof $ref === 'string') return `<a href="${rendering.schemas}#schema-${nameIn($ref)}">${nameIn($ref)}</a>`
  const variants = (schema['oneOf'] ?? schema['anyOf']) as Node[] | undefined
  if (variants) return variants.map((each) => typeOf(each, rendering)).join(` ${or} `)
  if (isObject(items)) return `${arrayOf} ${typeOf(items, rendering)}`
  if (isObject(additionalProperties)) return `${mapOf} ${typeOf(additionalProperties, rendering)}`
  const types = [(type ?? 'any') as string | string[]].flat().join(` ${or} `)
  return typeof format === 'string' ? `<bdi>${types} (${escape(format)})</bdi>` : types
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

function renderLimits(schema: Node, { words, renderText }: Rendering): string {
  const shown = { ...itemsOf(schema), ...schema }
  const limits = Object.entries(words.limits).flatMap(([key, name]) => {
    const value = shown[key]
    const values = [value].flat().map((each) => `<code>${escape(String(each))}</code>`)
    return value === undefined ? [] : [`<li>${name}${value === true ? '' : `: ${values.join(' ')}`}</li>`]
  })
  const meanings = isObject(schema['x-enumDescriptions']) ? Object.entries(schema['x-enumDescriptions']) : []
  const rows = meanings.map(([value, meaning]) => [`<code>${value}</code>`, renderText(String(meaning))])
  if (rows.length > 0) return table(words.valueHead, rows)
  return limits.length > 0 ? `<ul class="limits">${limits.join('')}</ul>` : ''
}

function itemsOf(schema: Node): Node {
  return isObject(schema['items']) && !('$ref' in schema['items']) ? schema['items'] : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<div class="table" tabindex="0"><table><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>`
}
