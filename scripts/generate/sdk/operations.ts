import { literal } from '../types.ts'
import { listRoutes, responseAt, takesToken, type Document, type Operation } from '../document/openapi.ts'
import { encodeCodes, subjectOf, type Subject } from './codes.ts'

/** The schema of `data` in responses that start a session or replace its tokens */
const TOKENS_SCHEMA = '#/components/schemas/AuthenticationResult'

const KEY_PARAMETER = '#/components/parameters/IdempotencyKey'

/** Every path begins with it, so the tables leave it out. */
const PREFIX = '/api/v1'

/** Returns a table of what a client must know to call each operation. */
export function renderOperations(document: Document): string {
  return `/**
 * Method, path after \`${PREFIX}\`, and error codes (see \`ERROR_CODES\`) of each operation, followed by the letters of what it takes
 * and returns: \`j\` or \`f\` for JSON or a form, \`t\` for the access token, \`T\` for new tokens, \`F\` for a file, \`i\` for an
 * \`Idempotency-Key\`.
 */
export const OPERATIONS = ${renderRows(document, undefined)} as const
`
}

export function renderOperationsOf(document: Document, subject: Subject): string {
  return `export const ${subject.toUpperCase()}_OPERATIONS = ${renderRows(document, subject)} as const\n`
}

function renderRows(document: Document, subject: Subject | undefined): string {
  const own = listRoutes(document).filter(({ operation }) => subjectOf(operation.operationId) === subject)
  const rows = own.map(({ path, method, operation }) => {
    if (!path.startsWith(PREFIX)) throw new Error(`${path} does not begin with ${PREFIX}`)
    const row = [method.toUpperCase(), path.slice(PREFIX.length), encodeCodes(document, operation)]
    return [operation.operationId, [...row, describe(document, operation)].join(' ').trimEnd()] as const
  })
  return literal(Object.fromEntries(rows))
}

function describe(document: Document, operation: Operation): string {
  const media = Object.keys(operation.requestBody?.content ?? {})
  const uses = {
    [media.includes('application/json') ? 'j' : 'f']: media.length > 0,
    t: takesToken(document, operation),
    T: returnsTokens(document, operation),
    F: returnsFile(document, operation),
    i: operation.parameters?.some((parameter) => (parameter as { $ref?: string }).$ref === KEY_PARAMETER),
  }
  const letters = Object.entries(uses).flatMap(([letter, isTrue]) => (isTrue ? [letter] : []))
  return letters.join('')
}

/** A success without JSON is a file. */
function returnsFile(document: Document, { responses }: Operation): boolean {
  return Object.entries(responses).some(([status, response]) => {
    const { content } = responseAt(document, response)
    return status.startsWith('2') && content !== undefined && !('application/json' in content)
  })
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
