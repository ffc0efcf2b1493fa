import { listOperations, responseAt, type Document, type Operation } from '../document/openapi.ts'

type ErrorCodeHeader = { schema?: { enum?: string[] } }

/** Returns types with the error codes of each operation, which its responses declare for the header `Error-Code`. */
export function renderCodes(document: Document): string {
  const all = listOperations(document).map((operation) => ({
    id: operation.operationId,
    codes: listCodes(document, operation),
  }))
  const shared = all.reduce<string[]>(
    (common, { codes }) => common.filter((code) => codes.includes(code)),
    all[0]?.codes ?? [],
  )
  const rows = all.map(({ id, codes }) => `  ${id}: ${union(codes.filter((code) => !shared.includes(code)))}`)
  return `/** Error codes of every operation */
export type SharedErrorCode = ${union(shared)}

/** Other error codes, by operation */
export type OwnErrorCodes = {
${rows.join('\n')}
}
`
}

function listCodes(document: Document, { responses }: Operation): string[] {
  return Object.values(responses).flatMap((response) => {
    const header = responseAt(document, response).headers?.['Error-Code'] as ErrorCodeHeader | undefined
    return header?.schema?.enum ?? []
  })
}

function union(codes: string[]): string {
  return codes.length === 0 ? 'never' : codes.map((code) => `'${code}'`).join(' | ')
}
