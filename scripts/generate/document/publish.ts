import { isDeepStrictEqual } from 'node:util'
import { withoutSourceExtensions } from './extensions.ts'
import { isObject, listOperations, withoutMembers, type Document } from './openapi.ts'

/**
 * Returns the document as it is published: without the extensions that only the generator reads, and with open responses
 * and webhooks, because members can be added to them. Requests are closed, and the server closes its responses when it
 * validates them.
 */
export function publish(document: Document): Document {
  const published = withoutSourceExtensions(document) as Document
  const { components, webhooks } = published
  const requested = requestSchemas(document)
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    return [name, requested.has(name) ? schema : opened(schema)] as const
  })
  return {
    ...published,
    webhooks: opened(webhooks) as Document['webhooks'],
    components: { ...components, schemas: Object.fromEntries(schemas) as Document['components']['schemas'] },
  }
}

type Versioned = Document & { info: { version: string } }

/**
 * Returns a document with the version of the next minor release, such as `0.3.0-dev`, if it has that of the last release and
 * differs from it. So a client that compares versions notices every change.
 */
export function markUnreleased(document: Document, released: Document): Document {
  const { info } = document as Versioned
  if (info.version !== (released as Versioned).info.version || isDeepStrictEqual(document, released)) return document
  const [major = '', minor] = info.version.split('.')
  return { ...document, info: { ...info, version: `${major}.${Number(minor) + 1}.0-dev` } } as Document
}

/** Returns the names of the schemas that request bodies refer to, directly or through others. */
function requestSchemas(document: Document): Set<string> {
  const found = new Set<string>()
  const collect = (node: unknown): void => {
    if (!isObject(node)) return
    const name = typeof node['$ref'] === 'string' ? node['$ref'].split('/').at(-1) : undefined
    if (name !== undefined && !found.has(name)) {
      found.add(name)
      collect(document.components.schemas[name])
    }
    Object.values(node).forEach(collect)
  }
  for (const { requestBody } of listOperations(document)) collect(requestBody)
  return found
}

/** Returns a copy whose objects accept members that the document does not list. */
function opened(node: unknown): unknown {
  return withoutMembers(node, (key, value) => key === 'additionalProperties' && value === false)
}
