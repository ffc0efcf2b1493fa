// Pages of the lists of administrators while rows are added: nothing is repeated, and nothing is missing.
import t from 'tap'
import { adminToken } from '../../support/cases/administration.ts'
import { openWorld, type World } from '../../support/service/world.ts'
import type { OperationId } from '../../../src/contract/operation.ts'

type Item = { id: number | string }

const ROWS = 9

/** Adds rows to a list, several of them at the same time */
const LISTS: Readonly<Partial<Record<OperationId, (world: World, count: number) => Promise<unknown>>>> = {
  async adminListUsers(world, count) {
    for (let added = 0; added < count; added++) await world.person()
  },
  adminListAudit({ address, service }, count) {
    const event = { at: new Date(), event: 'login', address }
    return service.database.prisma.auditEvent.createMany({ data: Array<typeof event>(count).fill(event) })
  },
  adminListEvents({ service }, count) {
    const event = { type: 'account.suspended', accountId: 1, data: { account_id: 1 }, at: new Date() }
    return service.database.prisma.event.createMany({ data: Array<typeof event>(count).fill(event) })
  },
}

for (const [id, add] of Object.entries(LISTS)) {
  void t.test(`${id} returns each row once while rows are added`, async (t) => {
    const world = await openWorld()
    const token = await adminToken(world)
    const send = world.send(id as OperationId)
    const page = async (
      query: Record<string, string | number>,
    ): Promise<{ ids: Item['id'][]; next: string | null }> => {
      const { items, next_cursor: next } = (await send({ token, query })).body.data as {
        items: Item[]
        next_cursor: string | null
      }
      return { ids: items.map((item) => item.id), next }
    }
    await add(world, ROWS)
    const { ids: present } = await page({ limit: ROWS })

    const seen: Item['id'][] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const { ids, next } = await page({ limit: 4, ...(cursor !== undefined && { cursor }) })
      seen.push(...ids)
      cursor = next
      await add(world, 2)
    }
    t.equal(new Set(seen).size, seen.length, 'no row is repeated')
    t.same(
      present.filter((id) => !seen.includes(id)),
      [],
      'no row is missing',
    )
    t.same(
      seen.filter((id) => present.includes(id)),
      present,
      'the order does not change',
    )
  })
}
