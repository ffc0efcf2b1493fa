// Changes check the session again under the lock of the account, after the request was authenticated.
import t from 'tap'
import { unknownUndo } from '../support/accounts/undos.ts'
import type { Bearer } from '../../src/domain/accounts/account.ts'
import type { Store } from '../../src/store/index.ts'
import { untilBlocked } from '../support/service/blocked.ts'
import { skipWithoutServer as skip } from '../support/service/database-proxy.ts'
import { openWorld } from '../support/service/world.ts'

const auditContext = { subject: null, address: null, requestId: null }
const session = { passwordHash: 'x', address: '::1', userAgent: undefined }
const event = { event: 'session_revoked', ...auditContext } as const

type Changes = Readonly<Record<string, () => Promise<unknown>>>

/** Returns changes of the account of a session. */
function ownChanges(store: Store, bearer: Bearer): Changes {
  return {
    schedule: () => store.deletions.schedule(bearer, auditContext, () => []),
    cancel: () => store.deletions.cancel(bearer, auditContext),
    change: () =>
      store.passwords.change(bearer, {
        from: 'x',
        to: 'y',
        client: session,
        auditContext,
        undo: unknownUndo(),
        toMails: () => [],
      }),
    replace: () => store.sessions.replace(bearer, session, auditContext),
    end: () => store.sessions.end(bearer, bearer.sessionId, event),
    endOthers: () => store.sessions.endOthers(bearer, event),
    endOwn: () => store.sessions.endOwn(bearer, event),
    remove: () => store.files.remove(bearer, 'logo', auditContext),
  }
}

/** Returns changes that an administrator makes. */
function adminChanges(store: Store, actor: Bearer, accountId: number): Changes {
  const action = { accountId, actor, reason: null, auditContext }
  const replay = { since: new Date(), until: undefined, state: undefined }
  return {
    suspend: () => store.administration.suspend(action),
    setAdmin: () => store.administration.setAdmin(action, true),
    replay: () => store.replays.begin(replay, { bearer: actor, auditContext }),
  }
}

void t.test('rejects changes of a session that was revoked in the meantime, and of a suspended account', async (t) => {
  const world = await openWorld()
  const { database, app } = world.service
  const { prisma } = database
  const { store } = app.context
  const [person, other] = [await world.person(), await world.person()]
  const newSession = async (accountId: number, endedAt?: Date): Promise<string> =>
    (await prisma.session.create({ data: { accountId, address: '::1', ...(endedAt && { endedAt }) } })).id
  const [active, revoked] = [await newSession(person.id), await newSession(person.id, new Date())]
  const suspended = await world.person({ status: 'suspended' })
  const bearers: Record<string, Bearer> = {
    'a revoked session': { accountId: person.id, sessionId: revoked },
    'a session of another account': { accountId: other.id, sessionId: active },
    'a suspended account': { accountId: suspended.id, sessionId: await newSession(suspended.id) },
  }
  for (const [title, bearer] of Object.entries(bearers)) {
    const changes = ownChanges(store, bearer)
    for (const [name, change] of Object.entries(changes)) {
      const changed = change().then(() => undefined)
      await t.rejects(changed, { code: 'token_revoked' }, `${title}: ${name}`)
    }
  }
  t.equal(await prisma.session.count({ where: { endedAt: null } }), 2, 'nothing has changed')
})

void t.test('does not change the end of a session that was revoked before', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const { id: accountId } = await world.person()
  const endedAt = new Date(Date.now() - 86_400_000)
  const data = { accountId, address: '::1' }
  const { id: revoked } = await prisma.session.create({ data: { ...data, endedAt } })
  const { id: sessionId } = await prisma.session.create({ data })
  await world.service.app.context.store.deletions.schedule({ accountId, sessionId }, auditContext, () => [])
  t.same((await prisma.session.findUnique({ where: { id: revoked } }))?.endedAt, endedAt)
  t.not((await prisma.session.findUnique({ where: { id: sessionId } }))?.endedAt, null)
})

void t.test('rejects changes of a session that is revoked while they wait for its account', { skip }, async (t) => {
  const world = await openWorld()
  const { database, app } = world.service
  const { prisma, pool } = database
  const person = await world.person({ isAdmin: true })
  const others = [await world.person(), person, await world.person()].sort((one, two) => one.id - two.id)
  const data = { accountId: person.id, address: '::1' }
  const revoke = async (sessionId: string, work: () => Promise<unknown>): Promise<void> => {
    const client = await pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [person.id])
    const waiting = work()
    await untilBlocked(pool)
    await client.query('UPDATE sessions SET ended_at = now() WHERE id = $1', [sessionId])
    await client.query('COMMIT')
    client.release()
    await waiting
  }
  const lists = [
    (bearer: Bearer) => ownChanges(app.context.store, bearer),
    ...others.map(
      ({ id }) =>
        (bearer: Bearer) =>
          adminChanges(app.context.store, bearer, id),
    ),
  ]
  for (const list of lists) {
    for (const name of Object.keys(list({ accountId: person.id, sessionId: '' }))) {
      const { id: sessionId } = await prisma.session.create({ data })
      const change = list({ accountId: person.id, sessionId })[name]
      await revoke(sessionId, () => t.rejects(Promise.resolve(change?.()), { code: 'token_revoked' }, name))
    }
  }
})
