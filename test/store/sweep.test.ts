// Deletion of expired rows.
import t from 'tap'
import { randomUUID } from 'node:crypto'
import { openWorld } from '../support/service/world.ts'

const DAY_MS = 86_400_000
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS)

void t.test(
  'deletes expired windows, sessions, events, audit events and idempotency keys, and no others',
  async (t) => {
    const world = await openWorld()
    const { prisma } = world.service.database
    const { id: accountId } = await world.person()
    const verification = (phone: string, expiresAt: Date): object => ({
      data: { phone, windowId: randomUUID(), state: 'sent', startedAt: expiresAt, expiresAt, sentAt: [], wrongAt: [] },
    })
    await prisma.phoneVerification.create(verification('+966500009001', ago(2)) as never)
    await prisma.phoneVerification.create(verification('+966500009002', ago(0.5)) as never)
    for (const days of [91, 89])
      await prisma.session.create({ data: { accountId, address: '::1', createdAt: ago(days) } })
    for (const days of [31, 29]) await prisma.auditEvent.create({ data: { event: 'swept', at: ago(days) } })
    const suspension = { accountId, type: 'account.suspended', data: { account_id: accountId } }
    for (const days of [31, 29]) await prisma.event.create({ data: { ...suspension, at: ago(days) } })

    for (const days of [1.1, 0.9]) {
      const times = { createdAt: ago(days), claimedAt: ago(days) }
      await prisma.idempotencyKey.create({
        data: { id: `swept-${days}`, fingerprint: 'x', claim: randomUUID(), ...times },
      })
    }

    await world.service.app.context.store.deleteExpired(30)

    const phones = await prisma.phoneVerification.findMany({ where: { phone: { startsWith: '+96650000900' } } })
    t.same(
      phones.map(({ phone }) => phone),
      ['+966500009002'],
    )
    t.equal(await prisma.session.count({ where: { accountId } }), 1)
    t.equal(await prisma.auditEvent.count({ where: { event: 'swept' } }), 1)
    t.equal(await prisma.event.count({ where: { accountId } }), 1)
    const keys = await prisma.idempotencyKey.findMany({ where: { id: { startsWith: 'swept' } } })
    t.same(
      keys.map(({ id }) => id),
      ['swept-0.9'],
    )
  },
)
