import { literal } from '../code.ts'
import { METHODS, responseAt, takesToken, type Document, type Operation } from '../document/openapi.ts'

/** The schema of `data` in responses that start a session or replace its tokens */
const TOKENS_SCHEMA = '#/components/schemas/AuthenticationResult'

const KEY_PARAMETER = '#/components/parameters/IdempotencyKey'

/** Returns a table of what a client must know to call each operation. */
export function renderOperations(document: Document): string {
  const rows = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation
        ? [[operation.operationId, { method: method.toUpperCase(), path, ...describe(document, operation) }] as const]
        : []
    }),
  )
  return `/**
 * What a request needs: \`token\` if it sends the access token, \`tokens\` if the response contains new ones, and
 * \`idempotent\` if it takes an \`Idempotency-Key\`.
 */
export const OPERATIONS = ${literal(Object.fromEntries(rows))} as const\n`
}

function describe(document: Document, operation: Operation): object {
  const { requestBody } = operation
  const media = Object.keys(requestBody?.content ?? {})
  return {
    ...(media.length > 0 && { body: media.includes('application/json') ? 'json' : 'form' }),
    ...(takesToken(document, operation) && { token: true }),
    ...(returnsTokens(document, operation) && { tokens: true }),
    ...(takesKey(operation) && { idempotent: true }),
  }
}

function takesKey({ parameters = [] }: Operation): boolean {
  return parameters.some((parameter) => (parameter as { $ref?: string }).$ref === KEY_PARAMETER)
}

function returnsTokens(document: Document, { responses }: Operation): boolean {
  return Object.values(responses).some((response) => {
    const media = responseAt(document, response).content?.['application/json']
    const { $ref = '' } = (media?.schema ?? {}) as { $ref?: string }
    const envelope = document.components.schemas[$ref.split('/').at(-1) ?? '']
    const data = envelope?.properties?.['data'] as { $ref?: string } | undefined
    return data?.$ref === TOKENS_SCHEMA
  })
}
