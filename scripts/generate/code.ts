import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Language } from '../../src/messages/index.ts'
import { deprecationHeaders } from './document/deprecation.ts'
import type { Sources } from './document/document.ts'
import { buildForms } from './forms.ts'
import {
  isToken,
  listOperations,
  listRoutes,
  responseAt,
  type Document,
  type Operation,
  type Schema,
} from './document/openapi.ts'
import { nameOfMessage, successMessages } from './document/responses.ts'
import { renderRateLimits } from './rate-limits.ts'
import { literal, renderTypes } from './types.ts'

const OPERATIONS = 'src/operations'

/** Returns the files of generated/ with code, by path. */
export async function generateCode({ document, limits, rateLimits }: Sources): Promise<Record<string, string>> {
  return {
    ...withBanner('generated', {
      'types.ts': `import type { Upload } from '../src/domain/files/file.ts'\n\n${await renderTypes(document)}`,
      'operations.ts': generateBindings(document),
      'handlers.ts': generateHandlers(document),
      'errors.ts': generateErrors(document),
      'messages.ts': generateMessages(document),
      'forms.ts': generateForms({ document, limits }),
      'limits.ts': `export const LIMITS = ${literal(limits)} as const\n`,
      'rate-limits.ts': renderRateLimits(document, rateLimits),
    }),
    'generated/columns.ts': generateColumns(await readFile('prisma/schema.prisma', 'utf8')),
  }
}

/** Returns generated texts as files of a folder, which say that they are not to be edited. */
export function withBanner(folder: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  const banner = '// Generated from openapi/ by `npm run generate`. Do not edit.\n\n'
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, banner + text]))
}

/** What a server and a client need to know to route an operation: the rest is in the types. */
function generateBindings(document: Document): string {
  const bindings = listRoutes(document).map(({ path, method, operation }) => {
    const { operationId, security = document.security, requestBody } = operation
    const binding = {
      method: method.toUpperCase(),
      path,
      secured: security.some(isToken),
      tokenOptional: security.some(isToken) && !security.every(isToken),
      media: Object.keys(requestBody?.content ?? {}),
      bodyOptional: requestBody !== undefined && !requestBody.required,
      ...listResponses(document, operation),
      cacheControl: operation['x-tawthiq-cache-control'] ?? 'no-store',
      deprecation: deprecationHeaders(operation),
      deferValidation: operation['x-tawthiq-defer-validation'] ?? false,
      patches: operation['x-tawthiq-patches'] ?? null,
      signed: operation['x-tawthiq-signed'] ?? false,
      recentAuthentication: parseRecentAuthentication(operation),
      requiresAdministrator: requiresAdministrator(document, operation),
    }
    return [operationId, binding] as const
  })
  const ids = bindings.map(([id]) => id)
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  if (twice.length > 0) throw new Error(`operationIds that stand twice: ${twice.join(', ')}`)
  return `export const bindings = ${literal(Object.fromEntries(bindings))} as const\n`
}

/** The recent authentication that the operation requires: always, when one of these fields changes, or never (null). */
function parseRecentAuthentication({ 'x-tawthiq-requires-recent-authentication': rule }: Operation): object | null {
  return rule ? { seconds: rule.seconds, when: rule.when ?? null } : null
}

/** An operation of administrators says so twice: to the server by its mark, and to callers by its refusals. */
function requiresAdministrator(document: Document, operation: Operation): boolean {
  const isMarked = operation['x-tawthiq-requires-administrator'] ?? false
  const refusals = Object.values(operation.responses).flatMap(
    (response) => responseAt(document, response)['x-tawthiq-error-codes'] ?? [],
  )
  if (refusals.includes('admin_required') !== isMarked)
    throw new Error(
      `${operation.operationId} needs x-tawthiq-requires-administrator and admin_required, or none of them`,
    )
  return isMarked
}

/** The statuses that an operation answers, what it says when it succeeds, and the words that it may fail with. */
function listResponses(document: Document, { operationId, responses }: Operation): object {
  const answers = Object.entries(responses).map(([status, response]) => ({
    status: Number(status),
    ...responseAt(document, response),
  }))
  const [success, ...others] = answers.filter((answer) => answer['x-tawthiq-message'] ?? answer['x-tawthiq-stream'])
  if (!success || others.length > 0)
    throw new Error(`${operationId} needs one answer with x-tawthiq-message or x-tawthiq-stream`)
  return {
    statuses: answers.map(({ status }) => status),
    success: {
      status: success.status,
      message: nameOfMessage(success) ?? null,
      beside: success['x-tawthiq-top-level'] ?? [],
    },
    errors: answers.flatMap((answer) => answer['x-tawthiq-error-codes'] ?? []),
  }
}

/** Returns a module with the handlers of all operations. It does not compile while one has no file. */
function generateHandlers(document: Document): string {
  const paths = readdirSync(OPERATIONS, { recursive: true, encoding: 'utf8' }).sort()
  const ids = listOperations(document).map(({ operationId }) => operationId)
  const found = paths.flatMap((path) => {
    const id = /(\w+)\.ts$/.exec(path)?.[1] ?? ''
    return ids.includes(id) ? [{ id, path }] : []
  })
  for (const id of ids.filter((each) => !found.some((file) => file.id === each)))
    console.error(`${OPERATIONS} has no ${id}.ts, whose export ${id} implements the operation.`)
  return [
    `import type { Operations } from '../src/contract/operation.ts'`,
    ...found.map(({ id, path }) => `import { ${id} } from '../${OPERATIONS}/${dirname(path)}/${id}.ts'`),
    `\nexport const operations: Operations = { ${found.map(({ id }) => id).join(', ')} }\n`,
  ].join('\n')
}

function generateErrors(document: Document): string {
  const { ErrorCode, FieldCode } = document.components.schemas
  if (!ErrorCode || !FieldCode) throw new Error('the document has no ErrorCode or no FieldCode')
  const statuses = ErrorCode['x-tawthiq-statuses'] ?? {}
  sameWords('ErrorCode: x-tawthiq-statuses', ErrorCode, statuses)
  sameWords('ErrorCode: x-enumDescriptions', ErrorCode, ErrorCode['x-enumDescriptions'])
  sameWords('FieldCode: x-enumDescriptions', FieldCode, FieldCode['x-enumDescriptions'])
  return `export const ERROR_STATUS = ${literal(statuses)} as const\n`
}

/** Returns the messages of successes by language. */
function generateMessages(document: Document): string {
  const messages = [...successMessages(document).values()]
  const textsIn = (language: Language): object =>
    Object.fromEntries(messages.map((message) => [message.name, message[language]]))
  return `export const SUCCESS_MESSAGES = ${literal({ ar: textsIn('ar'), en: textsIn('en') })} as const\n`
}

function sameWords(what: string, { enum: words = [] }: Schema, table: object = {}): void {
  if (words.join() !== Object.keys(table).join())
    throw new Error(`${what} does not have the words of the enum, in order`)
}

function generateForms(sources: Pick<Sources, 'document' | 'limits'>): string {
  const type = "Record<'client' | 'lawyer', Record<'ar' | 'en', components['schemas']['ProfileForm']>>"
  const forms = JSON.stringify(buildForms(sources), null, 2)
  return `import type { components } from './types.ts'\n\nexport const PROFILE_FORMS: ${type} = ${forms}\n`
}

/** Returns the tables and their columns that the models of Prisma's schema have, as code. */
function generateColumns(schema: string): string {
  const models = [...schema.matchAll(/^model (\w+) \{\n([^]*?)^\}/gm)].map(([, name = '', body = '']) => ({
    name,
    body,
  }))
  const names = new Set(models.map(({ name }) => name))
  const tables = models.map(({ name, body }) => {
    const [, table = name] = /^ {2}@@map\("(\w+)"\)/m.exec(body) ?? []
    const fields = [...body.matchAll(/^ {2}(\w+) +(\w+)(\[\])?\??(?: (.*))?$/gm)].filter(
      ([, , type = '']) => !names.has(type),
    ) // no relations
    const columns = fields.map(([, field = '', , , rest = '']) => /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field)
    return [table, columns.sort()] as const
  })
  const banner = '// Generated from prisma/schema.prisma by `npm run generate`. Do not edit.\n\n'
  return `${banner}export const COLUMNS = ${literal(Object.fromEntries(tables))} as const\n`
}
