import { describeField, exampleOf } from './form-fields.ts'
import type { Body, Document, Media, Schema } from './types.ts'
import { mapMembers, resolveSchema } from './walk.ts'

/**
 * Leaves each request body one media type, because generators that see several take the first: JSON, or a form if it has
 * files. The form is written out in place, so that generated functions have a parameter for each field.
 */
export function describeBodies(document: Document): Document {
  for (const { requestBody } of Object.values(document.paths).flatMap((item) => Object.values(item)))
    if (requestBody) requestBody.content = selectContent(requestBody, document)
  return document
}

function selectContent({ content }: Body, document: Document): Body['content'] {
  const withFiles = Object.entries(content).find(([, { schema }]) => hasFiles(schema, document))
  if (withFiles) return { [withFiles[0]]: describeForm(withFiles[1], document) }
  const json = Object.entries(content).find(([type]) => /^application\/(?:.+\+)?json$/.test(type))
  return json ? Object.fromEntries([json]) : content
}

function hasFiles(schema: Schema, document: Document): boolean {
  const { properties = {} } = resolveSchema(schema, document)
  return Object.values(properties).some((property) => resolveSchema(property, document).format === 'binary')
}

/** The media types of files, in `encoding`, are dropped too: Kotlin sends the whole list of them as the type of a part. */
function describeForm({ schema, examples = {} }: Media, document: Document): Media {
  const { properties = {}, required = [], ...form } = resolveSchema(schema, document)
  const fields = mapMembers(properties, (property, name) =>
    describeField(
      { ...resolveSchema(property as Schema, document), ...withoutReference(property as Schema) },
      {
        isRequired: required.includes(name),
      },
    ),
  ) as Record<string, Schema>
  return {
    schema: { ...form, required, properties: fields },
    examples: mapMembers(examples, (example) =>
      exampleOf(example as { value: object }, fields),
    ) as Required<Media>['examples'],
  }
}

function withoutReference({ $ref: _, ...others }: Schema): Schema {
  return others
}
