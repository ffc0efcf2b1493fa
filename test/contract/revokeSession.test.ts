import { commonStories, staleStories, tokenStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import type { Person, World } from '../support/world.ts'

/** The sessions of somebody, the one that asks first */
async function idsOf(world: World, token: string): Promise<string[]> {
  const { body } = await world.send('listSessions')({ token })
  const list = body.data.sessions as { id: string; current: boolean }[]
  return list.sort((a, b) => Number(b.current) - Number(a.current)).map(({ id }) => id)
}

/** Another session of the same person */
async function another(world: World, { id: accountId }: Person): Promise<{ path: { session_id: string } }> {
  const { id } = await world.service.database.prisma.session.create({ data: { accountId, address: world.address } })
  return { path: { session_id: id } }
}

const common = commonStories(
  'revokeSession',
  async (world) => {
    const person = await world.person()
    return { ...(await another(world, person)), token: await person.token() }
  },
  'store',
)

contract(
  'revokeSession',
  {
    200: {
      'another session': async (send, world, t) => {
        const person = await world.person()
        const there = await person.logIn()
        const [id = ''] = await idsOf(world, there.token)
        const { token } = await person.logIn()
        const received = await send({ path: { session_id: id }, token })
        t.equal((await world.send('getProfile')({ token: there.token })).headers['error-code'], 'token_revoked')
        t.equal((await world.send('getProfile')({ token })).status, 200)
        return received
      },
      'the session that asks': async (send, world, t) => {
        const token = await (await world.person()).token()
        const [id = ''] = await idsOf(world, token)
        const received = await send({ path: { session_id: id.toUpperCase() }, token })
        t.equal((await world.send('getProfile')({ token })).status, 401)
        return received
      },
    },
    400: common[400],
    404: {
      'one that has ended already': async (send, world) => {
        const person = await world.person()
        const sent = { ...(await another(world, person)), token: await person.token() }
        await send(sent)
        return send(sent)
      },
      'one of somebody else, which goes on': async (send, world, t) => {
        const theirs = await (await world.person()).token()
        const [id = ''] = await idsOf(world, theirs)
        const received = await send({ path: { session_id: id }, token: await (await world.person()).token() })
        t.equal(received.headers['error-code'], 'session_unknown')
        t.equal((await world.send('getProfile')({ token: theirs })).status, 200)
        return received
      },
    },
    422: {
      'an id that is none': async (send, world, t) => {
        const received = await send({ path: { session_id: 'mine' }, token: await (await world.person()).token() })
        t.same(received.body.data.codes, { session_id: ['wrong_format'] })
        return received
      },
    },
    ...tokenStories(another),
    ...staleStories(another),
    500: common[500],
    503: common[503],
  },
  { path: { session_id: '0c9d8e7f-6a5b-4c3d-9e1f-0a1b2c3d4e5f' } },
)
