// Schemas as tables of their members, for the reference without scripts.
import { isObject, type Document } from '../generate/document/openapi.ts'
import { escape, renderCode } from './code.ts'

type Node = Readonly<Record<string, unknown>>
/** Renders the Markdown of a description in a section whose heading has this level, 3 by default. */
export type RenderText = (text: string, section?: number) => string

/** The words for keywords that restrict a value; patterns and values are shown as code. */
const LIMITS: Readonly<Record<string, string>> = {
  enum: 'One of',
  const: 'Always',
  default: 'Default',
  minimum: 'Minimum',
  maximum: 'Maximum',
  minLength: 'Minimum length',
  maxLength: 'Maximum length',
  minItems: 'Minimum number of items',
  maxItems: 'Maximum number of items',
  uniqueItems: 'Distinct items',
  minProperties: 'Minimum number of members',
  maxProperties: 'Maximum number of members',
  pattern: 'Pattern',
  contentMediaType: 'Media type',
}
const CONDITIONS = ['allOf', 'if', 'then', 'else', 'not', 'dependentRequired']

/** Returns the section of each schema of the components. */
export function renderSchemas({ components }: Document, renderText: RenderText): string {
  return Object.entries(components.schemas)
    .map(
      ([name, schema]) =>
        `<section id="schema-${name}"><h3>${name}</h3>\n${renderSchema(schema, renderText)}</section>`,
    )
    .join('\n')
}

/** Returns the description of a schema, and the table of its members or its type. */
function renderSchema(schema: Node, renderText: RenderText): string {
  const rows = memberRows(schema, '', renderText)
  const conditions = Object.fromEntries(CONDITIONS.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])))
  return [
    renderText(textOf(schema['description'])),
    rows.length > 0
      ? table(['Member', 'Type', 'Description'], rows)
      : `<p>${typeOf(schema)}</p>${renderLimits(schema)}`,
    Object.keys(conditions).length > 0
      ? `<p>Conditions:</p>${renderCode(JSON.stringify(conditions, null, 2), 'json')}`
      : '',
  ].join('\n')
}

/** Returns a row for each member, and for the members of members. */
function memberRows(schema: Node, prefix: string, renderText: RenderText): string[][] {
  const required = new Set(schema['required'] as string[] | undefined)
  return Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).flatMap(([name, member]) => {
    if (!isObject(member)) return []
    const path = prefix + name
    const cells = [
      `<code>${path}</code>${required.has(name) ? '<br>required' : ''}`,
      typeOf(member),
      describe(member, renderText),
    ]
    return [
      cells,
      ...memberRows(member, `${path}.`, renderText),
      ...memberRows(itemsOf(member), `${path}[].`, renderText),
    ]
  })
}

/** Returns the description of a value with its limits. */
export function describe(schema: Node, renderText: RenderText): string {
  return renderText(textOf(schema['description'])) + renderLimits(schema)
}

/** Returns the type of a value, with links to schemas. */
export function typeOf(schema: Node): string {
  const { $ref, type, format, items, additionalProperties } = schema
  if (typeof $ref === 'string') return linkTo($ref)
  const variants = (schema['oneOf'] ?? schema['anyOf']) as Node[] | undefined
  if (variants) return variants.map(typeOf).join(' or ')
  if (isObject(items)) return `array of ${typeOf(items)}`
  if (isObject(additionalProperties)) return `map of ${typeOf(additionalProperties)}`
  const types = [(type ?? 'any') as string | string[]].flat().join(' or ')
  return typeof format === 'string' ? `${types} (${escape(format)})` : types
}

function linkTo(reference: string): string {
  const name = reference.split('/').at(-1) ?? ''
  return `<a href="#schema-${name}">${name}</a>`
}

function renderLimits(schema: Node): string {
  const shown = { ...itemsOf(schema), ...schema }
  const limits = Object.entries(LIMITS).flatMap(([key, words]) => {
    const value = shown[key]
    return value === undefined ? [] : [`<li>${words}${value === true ? '' : `: ${values(value)}`}</li>`]
  })
  const meanings = isObject(schema['x-enumDescriptions']) ? Object.entries(schema['x-enumDescriptions']) : []
  const rows = meanings.map(([value, meaning]) => [`<code>${value}</code>`, escape(String(meaning))])
  if (rows.length > 0) return table(['Value', 'Meaning'], rows)
  return limits.length > 0 ? `<ul class="limits">${limits.join('')}</ul>` : ''
}

function values(value: unknown): string {
  return [value]
    .flat()
    .map((each) => `<code>${escape(String(each))}</code>`)
    .join(' ')
}

function itemsOf(schema: Node): Node {
  return isObject(schema['items']) && !('$ref' in schema['items']) ? schema['items'] : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a table of HTML cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<div class="table" tabindex="0"><table><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>`
}
