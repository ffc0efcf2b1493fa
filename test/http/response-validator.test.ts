// Responses that violate the document, and errors that cannot be serialized, are sent as 500 in the envelope.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { Failure, invalidData } from '../../src/domain/failure.ts'
import { serializerCompiler } from '../../src/http/reply/envelope.ts'
import { createServer, serve } from '../../src/http/server.ts'
import { operations } from '../../generated/handlers.ts'
import type { Received } from '../support/service/responses.ts'
import { openEdgeServer } from '../support/servers/edge-server.ts'
import { openWorld, sharedService, type World } from '../support/service/world.ts'

const PLANTED = 'planted detail'

function isUnexpected(t: Test, { status, headers, body }: Pick<Received, 'status' | 'headers' | 'body'>): void {
  t.equal(status, 500)
  t.match(headers, { 'error-code': 'unexpected', 'content-type': /^application\/json/, 'cache-control': 'no-store' })
  t.same(body, { status: false, code: 500, message: body.message, data: null })
}

/** Sends checkToken while the store returns or throws a given value. */
async function checkToken(world: World, account: () => Promise<unknown>): Promise<Received> {
  const { context } = world.service.app
  const token = await (await world.person()).token()
  const { store } = context
  context.store = { ...store, bearerAccounts: { ...store.bearerAccounts, account: account as never } }
  try {
    return await world.send('checkToken')({ token })
  } finally {
    context.store = store
  }
}

void t.test('responds 500 when a success violates the document, and logs the operation and the place', async (t) => {
  const world = await openWorld()
  const account = { id: 'one', email: 'x', accountType: 'client', isAdmin: false, passwordHash: PLANTED }
  const received = await checkToken(world, async () => account)
  isUnexpected(t, received)
  t.notMatch(JSON.stringify(received.body), /violates|integer/)
  t.match(
    world.service.log.at(-1),
    /"operationId":"checkToken".*GET \/api\/v1\/auth\/check 200 violates the document: response\/data\/account\/id must be integer/,
  )
})

void t.test('rejects members that the document does not list, although the published responses are open', (t) => {
  const member = { type: 'object', properties: { id: { type: 'integer' } } }
  const schema = { type: 'object', properties: { one: member, all: { type: 'array', items: member } } }
  const serialize = serializerCompiler({ schema, method: 'GET', url: '/', httpStatus: '200' })
  t.equal(serialize({ one: { id: 1 }, all: [{ id: 2 }] }), '{"one":{"id":1},"all":[{"id":2}]}')
  t.throws(() => serialize({ one: { id: 1 }, added: 1 }), /must NOT have additional properties/)
  t.throws(() => serialize({ one: { id: 1, added: 1 } }), /response\/one must NOT have additional properties/)
  t.throws(() => serialize({ all: [{ id: 1, added: 1 }] }), /response\/all\/0 must NOT have additional properties/)
  t.end()
})

void t.test('responds 500 when a success cannot be serialized', async (t) => {
  const world = await openWorld()
  isUnexpected(t, await checkToken(world, async () => ({ id: 1n, email: 'x', accountType: 'client' })))
  t.match(world.service.log.at(-1), /"operationId":"checkToken".*BigInt/)
})

const failures: Record<string, { failure: () => Failure; logged: RegExp }> = {
  'has an unknown field code': { failure: () => invalidData({ password: [PLANTED as never] }), logged: /"TypeError"/ },
  'violates the document': {
    failure: () => invalidData({ password: [] }),
    logged: /422 violates the document: response\/data\/errors\/password.*fewer than 1 items/,
  },
  'has values that cannot be read': {
    failure: () =>
      invalidData({
        password: [
          {
            code: 'too_long',
            get values(): never {
              throw new Error(PLANTED)
            },
          },
        ],
      }),
    logged: /planted detail/,
  },
  'has a code without a status': { failure: () => new Failure(PLANTED as never), logged: /planted detail/ },
}

for (const [title, { failure, logged }] of Object.entries(failures)) {
  void t.test(`responds 500 when an error ${title}, and logs why`, async (t) => {
    const world = await openWorld()
    const { context } = world.service.app
    const { store } = context
    context.store = { ...store, recovery: { ...store.recovery, byToken: () => Promise.reject(failure()) } }
    const json = { by: 'email', token: 'x'.repeat(43), password: 'correct horse battery staple' }
    const received = await world.send('resetPassword')({ json })
    context.store = store
    isUnexpected(t, received)
    t.notMatch(JSON.stringify(received), new RegExp(PLANTED))
    t.match(world.service.log.at(-1), /"level":50.*"operationId":"resetPassword"/)
    t.match(world.service.log.at(-1), logged)
  })
}

const ANY_JSON = { content: { 'application/json': { schema: {} } } }

function addBrokenRoutes(server: FastifyInstance): void {
  const schema = { response: { 200: ANY_JSON, 404: ANY_JSON, 500: ANY_JSON } }
  const serializerCompiler = () => () => {
    throw new Error(PLANTED)
  }
  server.get('/success', { schema, serializerCompiler }, async () => ({}))
  server.get('/failure', { schema, serializerCompiler }, async () => {
    throw new Failure('file_unknown')
  })
  server.get('/stream-error', (_request, reply) => {
    const stream = new Readable({ read: () => stream.destroy(new Error(PLANTED)) })
    const headers = { 'cache-control': 'private, max-age=300', 'content-disposition': 'inline', 'content-length': 9 }
    return reply.headers(headers).type('image/png').send(stream)
  })
  server.get('/bad-header', (_request, reply) => reply.header('content-disposition', 'a\nb').send('text'))
}

void t.test('responds in the envelope when a route fails in other ways, and logs why', async (t) => {
  const { origin, log } = await openEdgeServer({}, addBrokenRoutes)
  for (const path of ['/success', '/failure', '/stream-error', '/bad-header']) {
    const before = log.length
    const received = await get(origin + path)
    isUnexpected(t, received)
    t.equal(received.headers['content-disposition'], undefined, path)
    t.notMatch(JSON.stringify(received), new RegExp(PLANTED), path)
    t.match(log.slice(before).join(''), path === '/bad-header' ? /ERR_INVALID_CHAR/ : new RegExp(PLANTED), path)
  }
})

async function get(url: string): Promise<Pick<Received, 'status' | 'headers' | 'body'>> {
  const response = await fetch(url)
  const body = (await response.json()) as Received['body']
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}

void t.test('does not start with an operation that has no handler, or a handler without an operation', async (t) => {
  const { app, config, logger } = await sharedService()
  const options = { ...config, log: logger, shutdown: { isShuttingDown: false, isOver: false } }
  const { login: _, ...withoutLogin } = operations
  const served = { context: app.context, outbox: undefined, passkeyApps: { android: [], ios: [] }, installation: {} }
  await t.rejects(
    serve(createServer(options), options, { ...served, operations: withoutLogin as never }),
    /without a handler: login/,
  )
  const surplus = { ...operations, toString: operations.login }
  await t.rejects(
    serve(createServer(options), options, { ...served, operations: surplus }),
    /without an operation: toString/,
  )
})
