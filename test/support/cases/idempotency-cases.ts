// Contract cases of operations with an Idempotency-Key.
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { asAdmin } from './administration.ts'
import type { Case, Cases } from './contract.ts'
import type { Send, Sent } from '../service/sender.ts'
import type { World } from '../service/world.ts'

/** Past the time after which a request that has not ended counts as interrupted, in milliseconds */
const INTERRUPTED_MS = (LIMITS.idempotency.lease_seconds + 1) * 1000

/** A request that would succeed, and one with the same path and another valid body */
export type Pair = { sent: Sent; other: Sent }

export type IdempotencyCases = { success: Cases; conflict: Cases; invalid: Cases }

export function withKey(sent: Sent, key: string): Sent {
  return { ...sent, headers: { ...sent.headers, 'idempotency-key': key } }
}

/** Makes all requests look as if their processes had been killed before they stored the outcome. */
export async function interrupt({ service }: World): Promise<void> {
  await service.database.pool.query(
    'UPDATE idempotency_keys SET finished_at = NULL, error_code = NULL, retry_at = NULL, session_id = NULL, data = NULL',
  )
}

/** Returns the cases that all operations with an Idempotency-Key have. */
export function idempotencyCases(prepare: (world: World, send: Send) => Promise<Pair>): IdempotencyCases {
  const replayed: Case = async (send, world, t) => {
    const { sent } = await prepare(world, send)
    const key = randomUUID()
    const first = await send(withKey(sent, key))
    t.notOk(first.headers['idempotency-replayed'])
    const members = Object.entries(sent.json ?? {})
    const reordered = sent.json === undefined ? sent : { ...sent, json: Object.fromEntries(members.reverse()) }
    const again = await send(withKey(reordered, `"${key}"`))
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.equal(again.status, first.status)
    t.same(Object.keys((again.body.data ?? {}) as object), Object.keys((first.body.data ?? {}) as object))
    const { rows } = await world.service.database.pool.query<object>('SELECT * FROM idempotency_keys')
    t.notMatch(JSON.stringify(rows), key, 'the key is not stored')
    const arabic = await send(withKey({ ...sent, language: 'ar' }, key))
    t.equal(arabic.headers['content-language'], 'ar')
    return arabic
  }
  const running: Case = async (send, world, t) => {
    const { sent } = await prepare(world, send)
    const key = randomUUID()
    await send(withKey(sent, key))
    await interrupt(world)
    const received = await send(withKey(sent, key))
    t.match(received.headers, { 'error-code': 'idempotency_in_progress', 'retry-after': '1' })
    return received
  }
  const reused: Case = async (send, world, t) => {
    const { sent, other } = await prepare(world, send)
    const key = randomUUID()
    await send(withKey(sent, key))
    const received = await send(withKey(other, key))
    t.same(received.body.data.codes, { 'idempotency-key': ['idempotency_key_reused'] })
    return received
  }
  const malformed: Case = async (send, world, t) => {
    const { sent } = await prepare(world, send)
    for (const key of WEAK_KEYS) {
      const { status, body } = await send(withKey(sent, key))
      t.same([status, Object.keys((body.data as { codes: object }).codes)], [422, ['idempotency-key']], key)
    }
    return send(withKey(sent, ''))
  }
  return {
    success: { 'replays the response to a request with the same Idempotency-Key': replayed },
    conflict: { 'rejects a request while another one with the same Idempotency-Key runs': running },
    invalid: {
      'rejects an Idempotency-Key that was sent with another body': reused,
      'rejects an Idempotency-Key that cannot have 122 random bits': malformed,
    },
  }
}

const WEAK_KEYS = [
  'short',
  '8e03978e40d543e8bc93', // 20 characters
  '8e03978e-40d5-11e8-bc93-6894a57f9324', // a UUID of version 1
  '0199a3c4-5b6d-7e7f-8a9b-0c1d2e3f4a5b', // a UUID of version 7
  '8e03978e-40d5-43e8-0c93-6894a57f9324', // another variant
  '8e03978e40d543e8bc936894a57f93', // 120 bits in hexadecimal digits
  '012345678901234567890123456789012345', // 119 bits in decimal digits
  '"8e03978e-40d5-43e8-bc93-6894a57f9324',
  '8e03978e-40d5-43e8-bc93-6894a57f9324, q0Zc0CzQm0XJ2v7kQq1f5A',
  'x'.repeat(129),
  'k'.repeat(40),
  'retry-me-'.repeat(4),
]

/** Returns the case of a request that was interrupted after a message may have been sent. */
export function outcomeUnknownCases(prepare: (world: World, send: Send) => Promise<Pair>): Cases {
  return {
    'does not repeat a request that was interrupted and may have sent a message': async (send, world, t) => {
      const { sent } = await prepare(world, send)
      const key = randomUUID()
      await send(withKey(sent, key))
      await interrupt(world)
      world.wait(INTERRUPTED_MS)
      const received = await send(withKey(sent, key))
      t.equal(received.headers['error-code'], 'idempotency_outcome_unknown')
      t.equal(received.headers['retry-after'], undefined)
      return received
    },
  }
}

/** Returns the cases of a change by an administrator, whose keys belong to the account. */
export function adminIdempotencyCases(prepare: (world: World) => Promise<Pair>): IdempotencyCases {
  const { success, conflict, invalid } = idempotencyCases(prepare)
  return { success: asAdmin(success), conflict: asAdmin(conflict), invalid: asAdmin(invalid) }
}
