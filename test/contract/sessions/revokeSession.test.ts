import { commonCases, staleSessionCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import type { Person, World } from '../../support/service/world.ts'

/** Returns the session IDs of a user, the current session first. */
async function listSessionIds(world: World, token: string): Promise<string[]> {
  const { body } = await world.send('listSessions')({ token })
  const list = body.data.items as { id: string; current: boolean }[]
  return list.sort((a, b) => Number(b.current) - Number(a.current)).map(({ id }) => id)
}

/** Creates another session of a person and returns the request that ends it. */
async function createOtherSession(world: World, { id: accountId }: Person): Promise<{ path: { session_id: string } }> {
  const { id } = await world.service.database.prisma.session.create({ data: { accountId, address: world.address } })
  return { path: { session_id: id } }
}

const common = commonCases(
  'revokeSession',
  async (world) => {
    const person = await world.person()
    return { ...(await createOtherSession(world, person)), token: await person.token() }
  },
  'store',
)

contract(
  'revokeSession',
  {
    200: {
      'ends another session': async (send, world, t) => {
        const person = await world.person()
        const other = await person.logIn()
        const [id = ''] = await listSessionIds(world, other.token)
        const { token } = await person.logIn()
        const received = await send({ path: { session_id: id }, token })
        t.equal((await world.send('getProfile')({ token: other.token })).headers['error-code'], 'token_revoked')
        t.equal((await world.send('getProfile')({ token })).status, 200)
        return received
      },
      'records the end of another session': async (send, world, t) => {
        const person = await world.person()
        const received = await send({ ...(await createOtherSession(world, person)), token: await person.token() })
        const where = { accountId: person.id, event: 'session_revoked' }
        t.match(await world.service.database.prisma.auditEvent.findMany({ where }), [{ address: world.address }])
        return received
      },
      'ends the current session': async (send, world, t) => {
        const token = await (await world.person()).token()
        const [id = ''] = await listSessionIds(world, token)
        const received = await send({ path: { session_id: id.toUpperCase() }, token })
        t.equal((await world.send('getProfile')({ token })).status, 401)
        return received
      },
    },
    400: common[400],
    404: {
      'rejects a session that has already ended': async (send, world) => {
        const person = await world.person()
        const sent = { ...(await createOtherSession(world, person)), token: await person.token() }
        await send(sent)
        return send(sent)
      },
      'rejects a session of another user without ending it': async (send, world, t) => {
        const theirs = await (await world.person()).token()
        const [id = ''] = await listSessionIds(world, theirs)
        const received = await send({ path: { session_id: id }, token: await (await world.person()).token() })
        t.equal(received.headers['error-code'], 'session_unknown')
        t.equal((await world.send('getProfile')({ token: theirs })).status, 200)
        return received
      },
    },
    422: {
      'rejects an invalid session ID': async (send, world, t) => {
        const received = await send({ path: { session_id: 'mine' }, token: await (await world.person()).token() })
        t.same(received.body.data.codes, { session_id: ['wrong_format'] })
        return received
      },
    },
    ...tokenCases(createOtherSession),
    ...staleSessionCases(createOtherSession),
    500: common[500],
    503: common[503],
  },
  { path: { session_id: '0c9d8e7f-6a5b-4c3d-9e1f-0a1b2c3d4e5f' } },
)
