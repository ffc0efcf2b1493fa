import type { Language } from '../../../src/messages/index.ts'
import { errorsHeadOf } from './error-tables.ts'
import { listOperations, mapMembers, responseAt, type Document, type Operation, type Response } from './openapi.ts'
import { WORDS } from './words.ts'

const REQUIRED = 'ReauthenticationRequired'
/** All operations with these responses may require recent authentication, too. Then they are part of other components only. */
const COMBINED = ['AdminRequired', 'FactorProofRequired']

/**
 * Adds to the operations that are marked with `x-tawthiq-requires-recent-authentication` the 403 response and a paragraph of
 * their description. Operations that already have a 403 refer to a component with the error codes of both.
 */
export function writeOutRecentAuthentication(document: Document, language: Language): void {
  for (const operation of listOperations(document)) {
    const rule = operation['x-tawthiq-requires-recent-authentication']
    if (!rule) continue
    const { recentAuthentication, or } = WORDS[language]
    operation.description = withParagraph(operation, recentAuthentication(rule.when, rule.seconds))
    operation.responses['403'] = { $ref: `#/components/responses/${responseFor(operation, document, or)}` }
  }
  const used = listOperations(document).flatMap(({ responses }) =>
    Object.values(responses).map((response) => ('$ref' in response ? response.$ref : '')),
  )
  for (const name of COMBINED)
    if (!used.some(($ref) => $ref.endsWith(`/${name}`))) Reflect.deleteProperty(document.components.responses, name)
}

function withParagraph(operation: Operation, paragraph: string): string {
  const { description = '' } = operation
  const head = errorsHeadOf(operation)
  if (head === undefined) return `${description}\n\n${paragraph}`
  const start = description.indexOf(head)
  return `${description.slice(0, start)}${paragraph}\n\n${description.slice(start)}`
}

/** Returns the name of the component for the 403 of an operation, which it adds if it is missing. */
function responseFor({ operationId, responses }: Operation, document: Document, or: string): string {
  const own = responses['403']
  if (!own) return REQUIRED
  if (!('$ref' in own)) throw new Error(`the 403 of ${operationId} is not a component`)
  const name = `${own.$ref.split('/').at(-1) ?? ''}Or${REQUIRED}`
  const refer = { $ref: `#/components/responses/${REQUIRED}` }
  document.components.responses[name] ??= both(responseAt(document, own), responseAt(document, refer), or)
  return name
}

function both(first: Response, second: Response, or: string): Response {
  return {
    description: [first.description, second.description].join(or),
    'x-tawthiq-error-codes': [...(first['x-tawthiq-error-codes'] ?? []), ...(second['x-tawthiq-error-codes'] ?? [])],
    headers: {
      ...first.headers,
      ...mapMembers(second.headers ?? {}, (header) => ({ ...(header as object), required: false })),
    },
  }
}
