// Operations without a body ignore any body that clients send.
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import type { Sent } from '../support/service/sender.ts'
import { openWorld } from '../support/service/world.ts'

const ids = (Object.keys(bindings) as OperationId[]).filter((id) => {
  const { media, method } = bindings[id]
  return media.length === 0 && method !== 'GET'
})
const path = { session_id: '0c9d8e7f-6a5b-4c3d-9e1f-0a1b2c3d4e5f', kind: 'cv_file' }
const bodies: Record<string, Sent> = {
  'a media type alone': { raw: '', type: 'application/json' },
  'an empty object': { json: {} },
  'invalid JSON': { raw: '{', type: 'application/json' },
  'a form': { form: { a: 'b' } },
  text: { raw: 'x', type: 'text/plain' },
  'a body without a media type': { raw: 'x' },
  'an invalid media type': { raw: 'x', type: '/' },
  'a megabyte': { raw: 'x'.repeat(1_000_000), type: 'application/json' },
}

t.ok(ids.length > 2)
for (const id of ids) {
  void t.test(id, async (t) => {
    const world = await openWorld()
    const person = await world.person()
    const expected = (await world.send(id)({ path, token: await person.token() })).status
    for (const [title, body] of Object.entries(bodies)) {
      const { status } = await world.send(id)({ path, token: await person.token(), ...body })
      t.equal(status, expected, title)
    }
  })
}
