import { isDeepStrictEqual } from 'node:util'
import { withoutSourceExtensions } from './extensions.ts'
import { listReferences } from './for-clients.ts'
import { listOperations, withoutMembers, type Document } from './openapi.ts'

/**
 * Returns the document as it is published: without the extensions that only the generator reads, and with open responses
 * and webhooks, because members can be added to them. Requests are closed, and the server closes its responses when it
 * validates them.
 */
export function publish(document: Document): Document {
  const published = withoutSourceExtensions(document) as Document
  const { components, webhooks } = published
  const bodies = listOperations(document).map(({ requestBody }) => requestBody)
  const requested = listReferences(document, bodies)
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    return [name, requested.has(`schemas/${name}`) ? schema : opened(schema)] as const
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

/** Returns a copy whose objects accept members that the document does not list. */
function opened(node: unknown): unknown {
  return withoutMembers(node, (key, value) => key === 'additionalProperties' && value === false)
}
