import type { Language } from '../../../src/messages/index.ts'
import { listOperations, responseAt, type Document, type Operation } from './openapi.ts'
import { WORDS } from './words.ts'

const SINCE = 'x-tawthiq-deprecated-since'
const SUNSET = 'x-tawthiq-sunset'
/** At least six months, as the guide Versioning promises */
const NOTICE_MS = 180 * 24 * 60 * 60 * 1000
const DATE = /^\d{4}-\d{2}-\d{2}$/

export function writeOutDeprecations(document: Document, language: Language): void {
  const { deprecated, sunsetHeader, deprecationHeader } = WORDS[language]
  for (const operation of listOperations(document)) {
    const values = Object.entries(deprecationHeaders(operation))
    if (values.length === 0) continue
    const { [SINCE]: since = '', [SUNSET]: sunset, description = '' } = operation
    operation.description = `${deprecated(since, sunset)}\n\n${description}`
    const headers = Object.fromEntries(
      values.map(([name, value]) => {
        const description = name === 'sunset' ? sunsetHeader : deprecationHeader
        const header = { description, required: true, schema: { type: 'string', enum: [value] } }
        return [name.charAt(0).toUpperCase() + name.slice(1), header]
      }),
    )
    for (const [status, response] of Object.entries(operation.responses)) {
      const found = responseAt(document, response)
      operation.responses[status] = { ...found, headers: { ...found.headers, ...headers } }
    }
  }
}

/**
 * Returns the headers that the server sends with every response of an operation, by name: `deprecation` (RFC 9745) and
 * `sunset` (RFC 8594). Empty if the operation is not deprecated. Throws if its dates are missing or wrong.
 */
export function deprecationHeaders(operation: Operation): Record<string, string> {
  const { operationId, deprecated = false, [SINCE]: since, [SUNSET]: sunset } = operation
  if (deprecated !== (since !== undefined))
    throw new Error(`${operationId} needs deprecated: true and ${SINCE}, or none`)
  if (since === undefined) {
    if (sunset !== undefined) throw new Error(`${operationId} has ${SUNSET}, and is not deprecated`)
    return {}
  }
  const start = parseDate(since, operationId)
  if (sunset === undefined) return { deprecation: `@${start.getTime() / 1000}` }
  const end = parseDate(sunset, operationId)
  if (end.getTime() - start.getTime() < NOTICE_MS)
    throw new Error(`${operationId} has ${SUNSET} too soon after ${SINCE}`)
  return { deprecation: `@${start.getTime() / 1000}`, sunset: end.toUTCString() }
}

function parseDate(text: string, operationId: string): Date {
  const date = new Date(`${text}T00:00:00Z`)
  if (!DATE.test(text) || Number.isNaN(date.getTime()))
    throw new Error(`${operationId} has a date that is not YYYY-MM-DD`)
  return date
}
