import { mapMembers } from '../document/openapi.ts'
import { listOperations, resolveSchema, type Document, type Media, type Schema } from './document.ts'
import { describeEnum } from './enums.ts'

const TEXT: Readonly<Record<string, string>> = {
  array: 'In this form, a JSON array as text',
  object: 'In this form, a JSON object as text',
  number: 'In this form, a decimal number as text',
}

/**
 * Leaves each request body one media type, because generators that see several take the first: JSON, or a form if it has
 * files. The form is written out in place, so that generated functions have a parameter for each field.
 */
export function describeBodies(document: Document): Document {
  for (const { requestBody } of listOperations(document)) {
    if (!requestBody) continue
    const content = Object.entries(requestBody.content)
    const withFiles = content.find(([, { schema }]) => hasFiles(schema, document))
    const json = content.find(([type]) => /^application\/(?:.+\+)?json$/.test(type))
    if (withFiles) requestBody.content = { [withFiles[0]]: describeForm(withFiles[1], document) }
    else if (json) requestBody.content = Object.fromEntries([json])
  }
  return document
}

function hasFiles(schema: Schema, document: Document): boolean {
  const { properties = {} } = resolveSchema(schema, document)
  return Object.values(properties).some((property) => resolveSchema(property, document)['format'] === 'binary')
}

/** The media types of files, in `encoding`, are dropped too: Kotlin sends the whole list of them as the type of a part. */
function describeForm({ schema, examples = {} }: Media, document: Document): Media {
  const { properties = {}, required = [], ...form } = resolveSchema(schema, document)
  const fields = mapMembers(properties, (property, name) => {
    const { $ref: _, ...beside } = property
    return describeField({ ...resolveSchema(property, document), ...beside }, required.includes(name))
  })
  const described = mapMembers(examples, (example) => {
    const value = mapMembers(example.value, (each, name) => (fields[name]?.type === 'string' ? asText(each) : each))
    return { ...example, value }
  })
  return { schema: { ...form, required, properties: fields }, examples: described }
}

/**
 * Describes a field of a form as generated clients can send it. They write lists and maps in ways that no server can
 * read back, and Python fails on decimals: all of them become text. Kotlin does not compile with optional enums.
 */
function describeField(schema: Schema, isRequired: boolean): Schema {
  const { description = '' } = schema
  const about = TEXT[String(schema.type)]
  if (about === undefined) return isRequired ? schema : describeEnum(schema)
  const example = asText(schema['example'])
  return {
    type: 'string',
    description: `${description}\n\n${about}${example === undefined ? '' : `, such as \`${example}\``}.`,
    ...(example !== undefined && { example }),
  }
}

function asText(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}
