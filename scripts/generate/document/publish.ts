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

/** Returns a copy whose objects accept members that the document does not list. */
function opened(node: unknown): unknown {
  return withoutMembers(node, (key, value) => key === 'additionalProperties' && value === false)
}
