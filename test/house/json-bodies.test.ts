// Every operation with a JSON body requires an object: other values are rejected before the handler runs.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { openWorld } from '../support/service/world.ts'

const JSON_TYPE = 'application/json'
const WRONG = ['"x"', '[]', '5', 'null', 'true']

const operations = (Object.keys(bindings) as OperationId[]).filter((id) =>
  (bindings[id].media as readonly string[]).includes(JSON_TYPE),
)

void t.test('finds operations with JSON bodies', (t) => {
  t.ok(operations.length >= 10, operations.join(', '))
  t.end()
})

for (const id of operations) {
  void t.test(`${id} rejects JSON that is not an object`, async (t) => {
    const world = await openWorld()
    const token = await (await world.person({ isAdmin: true })).token()
    const user_id = String((await world.person({ accountType: 'lawyer' })).id)
    const path = { provider: 'webhook', user_id, passkey_id: randomUUID() }
    for (const raw of WRONG) {
      const { status, body } = await world.send(id)({ path, token, raw, type: JSON_TYPE })
      t.same([status, body.data?.codes], [422, { body: ['wrong_type'] }], raw)
    }
    const empty = await world.send(id)({ path, token, raw: '', type: JSON_TYPE })
    t.equal(empty.status, bindings[id].bodyOptional ? 200 : 400, 'an empty body')
  })
}
