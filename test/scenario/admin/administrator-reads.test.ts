// Reads of administrators wait in a queue of their own, which never delays or rejects other requests.
import t from 'tap'
import { LIMITS } from '../../../generated/limits.ts'
import { adminToken } from '../../support/cases/administration.ts'
import { openWorld } from '../../support/service/world.ts'

const READS = ['adminListUsers', 'adminListAudit', 'adminListEvents', 'adminGetUser'] as const
const RUNNING = 1

void t.test('rejects only administrators when too many of their reads wait', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await adminToken(world)
  const { administratorReads } = world.service.app.context
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const waiting = Array.from({ length: LIMITS.queues.reads + RUNNING }, (_, at) =>
    administratorReads.run({ owner: `administrator ${at}` }, () => released).catch(() => undefined),
  )

  for (const id of READS) {
    const path = id === 'adminGetUser' ? { path: { user_id: String(person.id) } } : {}
    const { status, headers } = await world.send(id)({ token, ...path })
    t.match({ status, ...headers }, { status: 503, 'error-code': 'overloaded', 'retry-after': '5' }, id)
  }
  t.equal((await world.send('checkAdmin')({ token })).status, 200)
  t.equal((await world.send('checkToken')({ token: await person.token() })).status, 200)

  release()
  await Promise.all(waiting)
  for (const id of READS.slice(0, 3)) t.equal((await world.send(id)({ token })).status, 200, id)
})

void t.test('returns all of twelve searches that are sent at once', async (t) => {
  const world = await openWorld()
  const token = await adminToken(world)
  const send = world.send('adminListUsers')
  const received = await Promise.all(Array.from({ length: 12 }, (_, at) => send({ token, query: { q: `text ${at}` } })))
  t.same(new Set(received.map(({ status }) => status)), new Set([200]))
})
