import { dropSigned, listReferences } from '../document/for-clients.ts'
import { describeBodies } from './bodies.ts'
import { filterMembers } from '../document/openapi.ts'
import { listOperations, mapObjects, type Document } from './document.ts'
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
  return mapObjects(document, (schema) => {
    const { examples, ...others } = schema
    if (!Array.isArray(examples)) return schema
    const example: unknown = examples.find((each) => each !== null)
    return example === undefined ? others : { ...others, example }
  })
}

/** Drops what is written beside a reference: OpenAPI 3.0 ignores it, and validators reject it. */
function dropReferenceSiblings(document: Document): Document {
  return mapObjects(document, (schema) => (schema.$ref === undefined ? schema : { $ref: schema.$ref }))
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
  const named = new Set(listOperations(document).flatMap(({ tags }) => tags))
  return { ...document, tags: document.tags.filter(({ name }) => named.has(name)) }
}

function introduce(document: Document): Document {
  const { summary: _, ...info } = document.info
  return { ...document, info: { ...info, description: `${NOTE}\n\n${info.description}` } }
}

/** Keywords that OpenAPI 3.0 does not have, and two that break generated clients: Java cannot build unique items. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['contains', 'maxContains', 'minContains', 'prefixItems', 'unevaluatedItems', 'uniqueItems'],
  ...['patternProperties', 'propertyNames', 'unevaluatedProperties'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['if', 'then', 'else', 'not', 'dependentRequired', 'dependentSchemas'],
  ...['jsonSchemaDialect', 'webhooks'],
])

/**
 * Drops webhooks, extensions, and the conditions of schemas: the service validates them, and descriptions state them. Also
 * drops `additionalProperties: false`, which closes a schema.
 */
function dropKeywords(document: Document): Document {
  const isKept = (key: string, value: unknown): boolean =>
    !DROPPED.has(key) && !key.startsWith('x-') && !(key === 'additionalProperties' && value === false)
  const kept = mapObjects(document, (object) => filterMembers(object, isKept))
  return { ...kept, openapi: '3.0.3' } as Document
}
