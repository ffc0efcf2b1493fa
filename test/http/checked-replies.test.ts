// An answer that breaks the document does not leave, and the log says which and where.
import t from 'tap'
import { createServer, serve } from '../../src/http/server.ts'
import { operations } from '../../src/operations/index.ts'
import { openWorld, sharedService } from '../support/world.ts'

void t.test('a wrong answer is a 500, and the log names the operation and the place', async (t) => {
  const world = await openWorld()
  const { context } = world.service.app
  const token = await (await world.person()).token()
  const { bearers } = context.store
  context.store = {
    ...context.store,
    bearers: {
      ...bearers,
      account: async () =>
        ({ id: 'one', email: 'x', accountType: 'client', isAdmin: false, passwordHash: 'secret' }) as never,
    },
  }
  const received = await world.send('checkToken')({ token })
  context.store = { ...context.store, bearers }
  t.equal(received.status, 500)
  t.notMatch(JSON.stringify(received.body), /breaks|integer/, 'the answer does not tell')
  t.match(
    world.service.log.at(-1),
    /"operationId":"checkToken".*GET \/api\/v1\/auth\/check 200 breaks the document: answer\/data\/account\/id must be integer/,
  )
})

void t.test('an operation without a handler, or the other way round, stops the start', async (t) => {
  const { app, config, logger } = await sharedService()
  const options = { ...config, log: logger, departure: { isLeaving: false } }
  const { login: _, ...withoutLogin } = operations
  const served = { context: app.context, outbox: undefined }
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
