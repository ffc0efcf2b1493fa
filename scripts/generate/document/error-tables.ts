import type { Language } from '../../../src/messages/index.ts'
import { listOperations, responseAt, type Document, type Operation } from './openapi.ts'
import { WORDS } from './words.ts'

type Row = { status: number; text: string }

/**
 * Completes the table of errors in the description of every operation, and sorts it by status. The sources contain the rows
 * that say more than the descriptions of the codes; the others are made from these descriptions. Errors that all
 * operations share are listed in the guide Errors only.
 */
export function writeOutErrorTables(document: Document, language: Language): void {
  const shared = codesIn(document.tags.find(({ name }) => name === 'Errors')?.description ?? '')
  for (const operation of listOperations(document)) {
    const head = errorsHeadOf(operation) ?? WORDS[language].errorsHead
    const [text = '', table = '', ...others] = (operation.description ?? '').split(head)
    if (others.length > 0) throw new Error(`${operation.operationId} has more than one table of errors`)
    const written = table
      .split('\n')
      .filter(Boolean)
      .map((row) => toRow(row, operation))
    const known = new Set([...shared, ...codesIn(table)])
    const added = declaredCodes(document, operation)
      .filter(({ code }) => !known.has(code))
      .map(({ status, code }) => ({ status, text: `| \`${status} ${code}\` | ${meaningOf(code, document)} |` }))
    const rows = [...written, ...added].sort((a, b) => a.status - b.status)
    if (rows.length === 0) continue
    const lines = [head, ...rows.map((row) => row.text)].join('\n')
    operation.description = [text.trimEnd(), lines, WORDS[language].errorsNote].join('\n\n')
  }
}

/** Returns the head of the table of errors in a description. One without a translation has it in English in all editions. */
export function errorsHeadOf({ description = '' }: Operation): string | undefined {
  return Object.values(WORDS)
    .map(({ errorsHead }) => errorsHead)
    .find((head) => description.includes(head))
}

function codesIn(table: string): Set<string> {
  return new Set([...table.matchAll(/`(?:\d{3} )?([a-z]+(?:_[a-z]+)*)`/g)].map(([, code = '']) => code))
}

function toRow(text: string, { operationId }: Operation): Row {
  const status = Number(/^\| `(\d{3}) /.exec(text)?.[1])
  if (Number.isNaN(status)) throw new Error(`${operationId} has a row in its table of errors without a status: ${text}`)
  return { status, text }
}

function declaredCodes(document: Document, { responses }: Operation): { status: number; code: string }[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    (responseAt(document, response)['x-tawthiq-error-codes'] ?? []).map((code) => ({ status: Number(status), code })),
  )
}

/** Returns the first sentence of the description of a code, as the cell of a table. */
function meaningOf(code: string, { components: { schemas } }: Document): string {
  const [sentence = ''] = (schemas['ErrorCode']?.['x-enumDescriptions']?.[code] ?? '').split(/\.(?: |$)/)
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
