import type { Document } from './types.ts'
import { mapSchemas } from './walk.ts'

/** Gives each schema one `example`: the first of its examples that is not null. Media types keep theirs, by name. */
export function singleExamples(document: Document): Document {
  return mapSchemas(document, (schema) => {
    const { examples, ...others } = schema
    if (!examples) return schema
    const example = examples.find((each) => each !== null)
    return example === undefined ? others : { ...others, example }
  })
}
