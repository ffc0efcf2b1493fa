import { listOperations, responseAt, type Document, type Operation, type Response } from './openapi.ts'

const REQUIRED = 'ReauthenticationRequired'
/** All operations with this response may require recent authentication, too. Then it is part of another component only. */
const ADMIN_REQUIRED = 'AdminRequired'

/** The head of the table of errors in a description */
const ERRORS = '| Error |'
/** In `when`, in place of a field: the rule applies to accounts that have one. */
export const SECOND_FACTOR = 'second_factor'
/** Longer periods are fixed. */
const HOUR_SECONDS = 3600

/**
 * Adds to the operations that are marked with `x-tawthiq-requires-recent-authentication` the 403 response and a paragraph of
 * their description. Operations that already have a 403 refer to a component with the error codes of both.
 */
export function writeOutRecentAuthentication(document: Document): void {
  for (const operation of listOperations(document)) {
    const rule = operation['x-tawthiq-requires-recent-authentication']
    if (!rule) continue
    operation.description = withParagraph(operation.description ?? '', buildParagraph(rule))
    operation.responses['403'] = { $ref: `#/components/responses/${responseFor(operation, document)}` }
  }
  removeUnused(ADMIN_REQUIRED, document)
}

function removeUnused(name: string, document: Document): void {
  const isUsed = listOperations(document).some(({ responses }) =>
    Object.values(responses).some((response) => '$ref' in response && response.$ref.endsWith(`/${name}`)),
  )
  if (!isUsed) Reflect.deleteProperty(document.components.responses, name)
}

function buildParagraph({ seconds, when }: NonNullable<Operation['x-tawthiq-requires-recent-authentication']>): string {
  const fields = when
    ?.map((field) => `\`${field}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')
  const needs = when?.includes(SECOND_FACTOR)
    ? 'An account with a second factor requires recent authentication'
    : fields
      ? `A new value of ${fields} requires recent authentication`
      : 'Requires recent authentication'
  const period =
    seconds < HOUR_SECONDS
      ? `${seconds} seconds, unless the operator configures another period`
      : `${seconds / HOUR_SECONDS} hours`
  return `${needs}: the password, and a second factor if the account has one, proven on this session within the last ${period}.`
}

/** Adds a paragraph to a description, before its table of errors. */
function withParagraph(description: string, paragraph: string): string {
  const start = description.indexOf(ERRORS)
  if (start < 0) return `${description}\n\n${paragraph}`
  return `${description.slice(0, start)}${paragraph}\n\n${description.slice(start)}`
}

/** Returns the name of the component for the 403 of an operation, which it adds if it is missing. */
function responseFor({ operationId, responses }: Operation, document: Document): string {
  const own = responses['403']
  if (!own) return REQUIRED
  if (!('$ref' in own)) throw new Error(`the 403 of ${operationId} is not a component`)
  const name = `${own.$ref.split('/').at(-1) ?? ''}Or${REQUIRED}`
  const refer = { $ref: `#/components/responses/${REQUIRED}` }
  document.components.responses[name] ??= both(responseAt(document, own), responseAt(document, refer))
  return name
}

function both(first: Response, second: Response): Response {
  const headers = Object.entries(second.headers ?? {})
  return {
    description: [first.description, second.description].join(' Or: '),
    'x-tawthiq-error-codes': [...(first['x-tawthiq-error-codes'] ?? []), ...(second['x-tawthiq-error-codes'] ?? [])],
    headers: {
      ...first.headers,
      ...Object.fromEntries(headers.map(([name, header]) => [name, { ...(header as object), required: false }])),
    },
  }
}
