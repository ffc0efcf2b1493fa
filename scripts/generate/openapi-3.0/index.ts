import { dropSigned, listReferences } from '../document/for-clients.ts'
import { describeBodies } from './bodies.ts'
import { mapSchemas, removeMembers, type Document, type Schema } from './document.ts'
import { openCodes, simplifyEnums } from './enums.ts'
import { mergeUnions } from './merge.ts'
import { useNullable } from './nullable.ts'

const NOTE = `This is the OpenAPI 3.0 edition of the document, for code generators and other tools that cannot read OpenAPI 3.1.
It describes the same operations and fields as \`/openapi.json\`, with fewer rules: conditions, webhooks and the operation for SMS providers are omitted, a union is one object with the fields of all variants, and error codes are plain strings.
In forms with files, lists and maps are sent as JSON text, for example \`[8,40]\`.`

/** The order matters: later transformations rely on what earlier ones removed. */
const TRANSFORMATIONS: readonly ((document: Document) => Document)[] = [
  dropSigned,
  openCodes,
  dropKeywords,
  useNullable,
  mergeUnions,
  singleExamples,
  simplifyEnums,
  describeBodies,
  dropReferenceSiblings,
  dropUnused,
  introduce,
]

/**
 * Derives an OpenAPI 3.0.3 document from the published 3.1 document, for generators and tools that cannot read 3.1. It
 * describes the same operations of clients and the same fields, in the constructs that these tools support.
 */
export function deriveOpenapi30(document: object): object {
  return TRANSFORMATIONS.reduce((derived, transform) => transform(derived), structuredClone(document) as Document)
}

/** Gives each schema one `example`: the first of its examples that is not null. Media types keep theirs, by name. */
function singleExamples(document: Document): Document {
  return mapSchemas(document, (schema) => {
    const { examples, ...others } = schema
    if (!examples) return schema
    const example = examples.find((each) => each !== null)
    return example === undefined ? others : { ...others, example }
  })
}

/** Drops what is written beside a reference: OpenAPI 3.0 ignores it, and validators reject it. */
function dropReferenceSiblings(document: Document): Document {
  return mapSchemas(document, (schema) => (schema.$ref === undefined ? schema : { $ref: schema.$ref }))
}

/** Drops the components that no operation refers to, such as the variants of unions and the parts of webhooks. */
function dropUnused(document: Document): Document {
  const { components } = document
  const used = listReferences(document, document.paths)
  for (const [kind, parts] of Object.entries(components)) {
    if (kind === 'securitySchemes') continue
    for (const name of Object.keys(parts)) if (!used.has(`${kind}/${name}`)) Reflect.deleteProperty(parts, name)
    if (Object.keys(parts).length === 0) Reflect.deleteProperty(components, kind)
  }
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const named = new Set(operations.flatMap(({ tags }) => tags))
  return { ...document, tags: document.tags.filter(({ name }) => named.has(name)) }
}

function introduce(document: Document): Document {
  return { ...document, info: { ...document.info, description: `${NOTE}\n\n${document.info.description}` } }
}

/** Keywords that OpenAPI 3.0 does not have, and two that break generated clients: Java cannot build unique items. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['$anchor', '$comment', '$defs', '$dynamicAnchor', '$dynamicRef', '$id', '$schema', 'jsonSchemaDialect'],
  ...['contains', 'maxContains', 'minContains', 'prefixItems', 'unevaluatedItems', 'uniqueItems'],
  ...['patternProperties', 'propertyNames', 'unevaluatedProperties'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
  'webhooks',
])

/** Drops webhooks, extensions, and the conditions of schemas: the service validates them, and descriptions state them. */
function dropKeywords(document: Document): Document {
  const isDropped = (key: string): boolean => DROPPED.has(key) || key.startsWith('x-')
  const { summary: _, ...info } = document.info
  const kept = removeMembers<Document>({ ...document, openapi: '3.0.3', info }, isDropped)
  return mapSchemas(kept, dropNotAndClosed)
}

/** Drops `additionalProperties: false`, which closes a schema, and conditions that are left without effect. */
function dropNotAndClosed(schema: Schema): Schema {
  const { additionalProperties, not: _, ...others } = schema
  return additionalProperties === false || additionalProperties === undefined
    ? others
    : { ...others, additionalProperties }
}
