// The filters of the audit trail: networks of addresses, and the index of each filter.
import fc from 'fast-check'
import t from 'tap'
import { maskAddress, parseNetwork } from '../../src/domain/text.ts'
import { auditTrail, type AuditFilters } from '../../src/store/audit/trail.ts'
import { openService } from '../support/service/service.ts'

/** The filters that few events match, with the condition that an index must serve. Those of times only bound a list. */
const INDEXED: Partial<{ [Name in keyof AuditFilters]: [condition: RegExp, value: AuditFilters[Name]] }> = {
  accountId: [/Index Cond: \(account_id = 7\)/, 7],
  actorId: [/Index Cond: \(actor_id = 7\)/, 7],
  event: [/Index Cond: \(\(event\)::text = 'user_restored'/, 'user_restored'],
  requestId: [/Index Cond: \(\(request_id\)::text = 'request-7'/, 'request-7'],
  network: [/Index Cond: \(CASE /, '203.0.113.*'],
}

/** A scan of a month that has events. Empty months are read without an index. */
const SCAN = /Seq Scan on audit_events_y\w+ \w+ +\(cost=0\.00\.\.(?!0\.00 )/

const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('::1', '2001:db8::1', '2001:db8:1::', '1::2:3'))

void t.test('a network has the events whose masked addresses are equal', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { prisma } = service.database
  const [drawn = []] = fc.sample(fc.array(addresses, { minLength: 200, maxLength: 200 }), 1)
  const stored = drawn.map((address) => new URL(`http://${address.includes(':') ? `[${address}]` : address}`).hostname)
  const canonical = stored.map((host) => host.replaceAll(/[[\]]/g, ''))
  const requestId = 'audit-filters'
  await prisma.auditEvent.createMany({ data: canonical.map((address) => ({ event: 'logout', address, requestId })) })
  const { list } = auditTrail(service.database)
  for (const [index, address] of drawn.entries()) {
    const network = parseNetwork(address) ?? 'none'
    const expected = canonical.filter((each) => maskAddress(each) === network)
    t.ok(expected.includes(canonical[index] ?? ''), address)
    const found = await list({ requestId, network }, 1000)
    t.same(found.map((row) => row.address).sort(), expected.sort(), address)
  }
})

void t.test('an index serves each filter that few events match', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { pool } = service.database
  await pool.query(`INSERT INTO audit_events (event, account_id, actor_id, request_id, address, at)
    SELECT 'login', i, i, 'request-' || i, '198.51.' || i % 250 || '.7', now() - i * interval '1 second'
    FROM generate_series(1, 20000) AS i`)
  await pool.query('ANALYZE audit_events')
  const explain = async (filters: AuditFilters): Promise<string> => {
    const plan: string[] = []
    const query = async ({ text, values }: { text: string; values: unknown[] }): Promise<{ rows: unknown[] }> => {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
      plan.push(...rows.map((row) => row['QUERY PLAN']))
      return { rows: [] }
    }
    await auditTrail({ ...service.database, pool: { query } as never }).list(filters, 20)
    return plan.join('\n')
  }
  for (const [name, [condition, value]] of Object.entries(INDEXED)) {
    const plan = await explain({ [name]: value })
    t.match(plan, condition, name)
    t.notMatch(plan, SCAN, name)
  }
})
