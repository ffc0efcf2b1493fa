// Deprecated operations: what the generator makes of their dates, and what the server sends.
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import { deprecationHeaders, writeOutDeprecations } from '../../scripts/generate/document/deprecation.ts'
import type { Document, Operation, Response } from '../../scripts/generate/document/openapi.ts'
import { createServer, serve } from '../../src/http/server.ts'
import { operations } from '../../generated/handlers.ts'
import { sharedService } from '../support/service/world.ts'

const HEADERS = { deprecation: '@1798761600', sunset: 'Thu, 01 Jul 2027 00:00:00 GMT' }
const DATES = { 'x-tawthiq-deprecated-since': '2027-01-01', 'x-tawthiq-sunset': '2027-07-01' }

function operation(more: Partial<Operation>): Operation {
  const responses = { '200': { description: 'Done.' }, '500': { $ref: '#/components/responses/Failed' } }
  return { operationId: 'getThing', summary: 'Get a thing', description: 'Returns a thing.', responses, ...more }
}

function documentWith(one: Operation): Document {
  const components = { headers: {}, parameters: {}, schemas: {}, responses: { Failed: { description: 'Failed.' } } }
  return { tags: [], security: [], paths: { '/thing': { get: one } }, webhooks: {}, components }
}

void t.test('computes the headers from the dates', (t) => {
  t.same(deprecationHeaders(operation({ deprecated: true, ...DATES })), HEADERS)
  const withoutSunset = operation({ deprecated: true, 'x-tawthiq-deprecated-since': '2027-01-01' })
  t.same(deprecationHeaders(withoutSunset), { deprecation: HEADERS.deprecation })
  t.same(deprecationHeaders(operation({})), {})
  t.end()
})

const mistakes: Record<string, Partial<Operation>> = {
  'a deprecation without a date': { deprecated: true },
  'a date without a deprecation': { 'x-tawthiq-deprecated-since': '2027-01-01' },
  'a sunset without a deprecation': { 'x-tawthiq-sunset': '2027-07-01' },
  'a sunset before the deprecation': { deprecated: true, ...DATES, 'x-tawthiq-sunset': '2026-12-31' },
  'a sunset within six months': { deprecated: true, ...DATES, 'x-tawthiq-sunset': '2027-06-01' },
  'a date that does not exist': { deprecated: true, 'x-tawthiq-deprecated-since': '2027-13-01' },
}

for (const [title, more] of Object.entries(mistakes)) {
  void t.test(`the generator rejects ${title}`, (t) => {
    t.throws(() => deprecationHeaders(operation(more)), /getThing/)
    t.end()
  })
}

void t.test('the document declares the headers in every response, and the dates in the description', (t) => {
  const one = operation({ deprecated: true, ...DATES })
  const document = documentWith(one)
  writeOutDeprecations(document, 'en')
  t.match(
    one.description,
    /^\*\*Deprecated since 2027-01-01\.\*\* It can be removed after 2027-07-01\.\n\nReturns a thing\.$/,
  )
  for (const status of ['200', '500']) {
    const { headers } = one.responses[status] as Response
    t.match(headers, {
      Deprecation: { schema: { enum: [HEADERS.deprecation] } },
      Sunset: { schema: { enum: [HEADERS.sunset] } },
    })
  }
  t.equal(document.components.responses['Failed']?.headers, undefined, 'other operations share the response')
  t.end()
})

void t.test('a deprecated operation sends the headers with every response, and others do not', async (t) => {
  const { app, config, logger } = await sharedService()
  const before = bindings.checkToken.deprecation
  t.teardown(() => Object.assign(bindings.checkToken, { deprecation: before }))
  Object.assign(bindings.checkToken, { deprecation: HEADERS })
  const options = { ...config, log: logger, shutdown: { isShuttingDown: false, isOver: false } }
  const server = createServer(options)
  t.teardown(() => server.close())
  const passkeyApps = { android: [], ios: [] }
  await serve(server, options, { context: app.context, outbox: undefined, passkeyApps, operations, installation: {} })
  const deprecated = await server.inject('/api/v1/auth/check')
  t.equal(deprecated.statusCode, 401)
  t.match(deprecated.headers, HEADERS)
  const other = await server.inject('/api/v1/auth/jwks')
  t.equal(other.statusCode, 200)
  t.equal(other.headers['deprecation'], undefined)
  t.equal(other.headers['sunset'], undefined)
})
