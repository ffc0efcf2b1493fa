// The audit events of rotated keys.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { openService } from '../support/service/service.ts'

void t.test('records one event for the first use of a key of a purpose, by whichever instance', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { prisma } = service.database
  const { keyHolders } = service.app.context.store
  const [found] = await prisma.$queryRaw<{ used: Record<string, string> }[]>`SELECT used FROM instances`
  const recorded = async (): Promise<(string | null)[]> => {
    const where = { event: 'key_rotated' }
    return (await prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } })).map(({ subject }) => subject)
  }
  const put = (changes: object, id = randomUUID()): Promise<void> =>
    keyHolders.put({ id, name: 'test', keys: {}, used: { ...found?.used, ...changes } })
  t.same(await recorded(), [], 'the first keys replace none')
  await put({})
  t.same(await recorded(), [], 'a further instance with the same keys')
  await Promise.all(Array.from({ length: 8 }, () => put({ codes: 'second' })))
  t.same(await recorded(), ['codes second'])
  await put({})
  await put({ codes: 'second', links: 'new' })
  await put({ codes: 'second', links: 'new' })
  await put({ another: 'first' })
  t.same(
    await recorded(),
    ['codes second', 'links new'],
    'an instance with the old key, and a new purpose, record nothing',
  )
})
