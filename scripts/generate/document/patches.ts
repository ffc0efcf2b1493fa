import type { Language } from '../../../src/messages/index.ts'
import { findSchema, isObject, resolveSchema, type Document, type Schema } from './openapi.ts'
import { WORDS } from './words.ts'

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
  const properties = Object.entries(form.properties ?? {}).map(([name, property]) => {
    const changed = isFile(document, property) ? fileLink(name) : nullable(property)
    return [name, { ...changed, ...(own.properties?.[name] as object | undefined) }] as const
  })
  return Object.fromEntries(properties)
}

function isFile(document: Document, property: unknown): boolean {
  return isObject(property) && resolveSchema(document, property)['format'] === 'binary'
}

function nullable(property: unknown): object {
  const { 'x-tawthiq-clearable': isClearable, ...schema } = property as Record<string, unknown>
  return isClearable ? { ...schema, type: [schema['type'], 'null'] } : schema
}

/** Returns the kinds of files that `deleteProfileFile` deletes. */
function listDeletableFiles({ paths }: Document): readonly string[] {
  const [kind] = (paths['/api/v1/profile/files/{kind}']?.delete?.parameters ?? []) as { schema?: { enum?: string[] } }[]
  return kind?.schema?.enum ?? []
}
