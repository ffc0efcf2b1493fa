import { listOperations, responseAt, type Document, type Operation } from '../document/openapi.ts'

/** Subjects whose operations are a table of their own, because not every application needs them */
export const SUBJECTS = ['admin', 'factor', 'passkey'] as const

export type Subject = (typeof SUBJECTS)[number]

const FACTORS = /Factor|Totp|RecoveryCodes/

/** Returns the subject of an operation; undefined for the main module of the SDK. */
export function subjectOf(operationId: string): Subject | undefined {
  if (operationId.startsWith('admin')) return 'admin'
  if (operationId.includes('Passkey')) return 'passkey'
  return FACTORS.test(operationId) ? 'factor' : undefined
}

/** Stands for the first code of the list */
const FIRST_CHARACTER = '0'.charCodeAt(0)

/** Returns the error codes, as types by operation and as a list of all of them. */
export function renderCodes(document: Document): string {
  const shared = sharedCodes(document)
  const rows = listOperations(document).map((operation) => {
    const own = listCodes(document, operation).filter((code) => !shared.includes(code))
    return `  ${operation.operationId}: ${union(own)}`
  })
  return `/** Error codes of every operation */
export type SharedErrorCode = ${union(shared)}

/** Other error codes, by operation */
export type OwnErrorCodes = {
${rows.join('\n')}
}

/**
 * The error codes of the main module, first those of every operation. Each character in the tables of operations is a position in
 * this list; other codes follow after a comma.
 */
export const ERROR_CODES = '${listMainCodes(document).join(' ')}'

/** The number of error codes of every operation, which the table leaves out */
export const SHARED_CODES = ${shared.length}

/** All codes of invalid fields */
export const FIELD_CODES = '${document.components.schemas['FieldCode']?.enum?.join(' ') ?? ''}'
`
}

/** Returns the error codes of an operation as characters, and as words those that the main module lacks, see `ERROR_CODES`. */
export function encodeCodes(document: Document, operation: Operation): string {
  const all = listMainCodes(document)
  const codes = [...new Set(listCodes(document, operation))]
  const shared = sharedCodes(document).length
  const characters = codes
    .map((code) => all.indexOf(code))
    .filter((position) => position >= shared)
    .sort((a, b) => a - b)
    .map((position) => String.fromCharCode(FIRST_CHARACTER + position))
    .join('')
  return [characters, ...codes.filter((code) => !all.includes(code))].join(',')
}

function sharedCodes(document: Document): string[] {
  const [first = [], ...others] = listOperations(document).map((operation) => listCodes(document, operation))
  return others.reduce((common, codes) => common.filter((code) => codes.includes(code)), first)
}

/** Returns the codes that operations of the main module declare. Frequent codes come first, which compresses better. */
function listMainCodes(document: Document): string[] {
  const uses = new Map<string, number>()
  const operations = listOperations(document).filter(({ operationId }) => !subjectOf(operationId))
  for (const code of operations.flatMap((operation) => listCodes(document, operation))) {
    uses.set(code, (uses.get(code) ?? 0) + 1)
  }
  return [...uses].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).map(([code]) => code)
}

/** Returns the codes that the responses of an operation declare for the header `Error-Code`. */
function listCodes(document: Document, { responses }: Operation): string[] {
  return Object.values(responses).flatMap((response) => {
    const header = responseAt(document, response).headers?.['Error-Code']
    return (header as { schema?: { enum?: string[] } } | undefined)?.schema?.enum ?? []
  })
}

function union(codes: string[]): string {
  return codes.length === 0 ? 'never' : codes.map((code) => `'${code}'`).join(' | ')
}
