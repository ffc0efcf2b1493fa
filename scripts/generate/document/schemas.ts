import type { Language } from '../../../src/messages/index.ts'
import {
  filterMembers,
  findSchema,
  isObject,
  mapMembers,
  resolveSchema,
  SCHEMAS,
  type Document,
  type Schema,
} from './openapi.ts'
import type { TextKind } from './text-patterns.ts'
import { WORDS } from './words.ts'

/**
 * Writes out what the sources of schemas share. One with `x-tawthiq-inline` stands wherever it is referred to, changed by what
 * is written beside the reference; one with `x-tawthiq-extends` begins with the properties of those that it names, each changed
 * by what it says of the same property. The published document has neither.
 */
export function writeOutSharedSchemas(document: Document): void {
  const { schemas } = document.components
  const writtenOut = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(writtenOut)
    if (!isObject(node)) return node
    const { 'x-tawthiq-extends': bases, ...own } = withShared(node, schemas)
    const schema = mapMembers(own, writtenOut)
    return Array.isArray(bases) ? extended(bases.map(resolveBase), schema) : schema
  }
  const resolveBase = (name: string): Schema => writtenOut(findSchema(name, schemas)) as Schema
  const published = filterMembers(schemas, (_, schema) => !schema['x-tawthiq-inline'])
  document.paths = writtenOut(document.paths) as Document['paths']
  document.webhooks = writtenOut(document.webhooks) as Document['webhooks']
  const components = { ...document.components, schemas: published }
  document.components = writtenOut(components) as Document['components']
}

function withShared(node: Record<string, unknown>, schemas: Record<string, Schema>): Record<string, unknown> {
  const { $ref, ...beside } = node
  const shared = typeof $ref === 'string' && $ref.startsWith(SCHEMAS) ? schemas[$ref.slice(SCHEMAS.length)] : undefined
  if (!shared?.['x-tawthiq-inline']) return node
  const { 'x-tawthiq-inline': _, ...schema } = { ...withShared(shared, schemas), ...beside }
  return schema
}

function extended(bases: Schema[], schema: Schema): Schema {
  const all = [...bases, schema]
  const properties: Record<string, object> = {}
  for (const [name, property] of all.flatMap((each) => Object.entries(each.properties ?? {})))
    properties[name] = { ...properties[name], ...(property as object) }
  return { ...schema, required: all.flatMap(({ required = [] }) => required), properties }
}

/** Replaces `x-tawthiq-text` by the pattern of texts of this kind, and by how the service cleans and judges them. */
export function writeOutTexts(node: unknown, kinds: Readonly<Record<string, TextKind>>): void {
  if (!isObject(node) && !Array.isArray(node)) return
  if (isObject(node) && 'x-tawthiq-text' in node) {
    const { 'x-tawthiq-text': name } = node
    const kind = kinds[String(name)]
    if (!kind) throw new Error(`x-tawthiq-text has no kind ${String(name)}`)
    delete node['x-tawthiq-text']
    const { pattern, input, isVisible } = kind
    Object.assign(node, { pattern, ...(isVisible && { 'x-tawthiq-visible': true }) })
    if (input) node['x-tawthiq-input'] = input
  }
  for (const member of Object.values(node)) writeOutTexts(member, kinds)
}

/**
 * Writes out the fields that a union ignores where the variant that is sent does not have them: `x-tawthiq-ignores` names
 * the unions whose variants have them, and `x-tawthiq-ignored-fields` lists the fields. Variants are closed by the names of
 * their properties and of the fields that they ignore.
 */
export function writeOutIgnoredFields({ components: { schemas } }: Document): void {
  const listVariants = ({ oneOf = [] }: Schema): Schema[] => oneOf.map(({ $ref }) => findSchema($ref, schemas))
  const fieldsByVariant = (union: Schema): string[][] =>
    listVariants(union).map(({ properties = {} }) => Object.keys(properties))
  for (const schema of Object.values(schemas)) {
    const { 'x-tawthiq-ignores': unions } = schema
    if (!unions) continue
    delete schema['x-tawthiq-ignores']
    const fields = new Set(unions.flatMap((name) => fieldsByVariant(findSchema(name, schemas)).flat()))
    const own = fieldsByVariant(schema)
    const isOfAll = (field: string): boolean => own.every((names) => names.includes(field))
    const ignored = [...fields].filter((field) => !isOfAll(field)).sort()
    schema['x-tawthiq-ignored-fields'] = ignored
    for (const variant of listVariants(schema)) closeByNames(variant, ignored)
  }
}

/** `patternProperties` would do as well, but generated types would accept any name then. */
function closeByNames(variant: Schema, ignored: readonly string[]): void {
  const names = [...new Set([...Object.keys(variant.properties ?? {}), ...ignored])].sort()
  delete variant.additionalProperties
  variant.propertyNames = { pattern: `^(?:${names.join('|')})$` }
}

/** Without a pattern: the result of the patch is validated, and links are only compared with stored ones. */
const LINK = { type: ['string', 'null'], format: 'uri-reference', maxLength: 2048 }

/**
 * Writes out the merge patches of forms: `x-tawthiq-patch-of` names the form. A patch has the fields of the form, which are
 * all optional, and nullable if they can be cleared. Conditions are left out, because they apply to the result.
 */
export function writeOutPatches(document: Document, language: Language): void {
  const { schemas } = document.components
  const deletable = listDeletableFiles(document)
  const fileLink = (name: string): object => {
    const { optionalFileLink, requiredFileLink } = WORDS[language]
    return { ...LINK, description: deletable.includes(name) ? optionalFileLink : requiredFileLink }
  }
  for (const schema of Object.values(schemas)) {
    const { 'x-tawthiq-patch-of': name, ...own } = schema
    if (name === undefined) continue
    const form = findSchema(name, schemas)
    delete schema['x-tawthiq-patch-of']
    const ignored = form['x-tawthiq-ignored-fields']
    if (own.anyOf) Object.assign(schema, ignored && { 'x-tawthiq-ignored-fields': ignored })
    else
      Object.assign(schema, {
        ...(form.propertyNames ? { propertyNames: form.propertyNames } : { additionalProperties: false }),
        properties: patchProperties(document, form, own, fileLink),
      })
  }
}

function patchProperties(document: Document, form: Schema, own: Schema, fileLink: (name: string) => object): object {
  return mapMembers(form.properties ?? {}, (property, name) => {
    const isFile = isObject(property) && resolveSchema(document, property)['format'] === 'binary'
    const changed = isFile ? fileLink(name) : nullable(property)
    return { ...changed, ...(own.properties?.[name] as object | undefined) }
  })
}

function nullable(property: unknown): object {
  const { 'x-tawthiq-clearable': isClearable, ...schema } = property as Record<string, unknown>
  return isClearable ? { ...schema, type: [...new Set([schema['type'], 'null'].flat())] } : schema
}

/** The kinds of files that `deleteProfileFile` deletes */
function listDeletableFiles({ paths }: Document): readonly string[] {
  const [kind] = (paths['/api/v1/profile/files/{kind}']?.delete?.parameters ?? []) as { schema?: { enum?: string[] } }[]
  return kind?.schema?.enum ?? []
}
