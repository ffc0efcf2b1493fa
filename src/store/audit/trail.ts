import type { AuditEvent, Prisma } from '../../../generated/prisma/client.ts'
import type { EventName } from '../../domain/audit/audit-context.ts'
import type { Database } from '../../database/index.ts'

export type AuditFilters = Readonly<{
  accountId: number | undefined
  actorId: number | undefined
  event: EventName | undefined
  since: Date | undefined
  until: Date | undefined
  /** Only events after this one in the list, which is sorted newest first */
  before: { at: Date; id: bigint } | undefined
}>

export type AuditRow = Omit<AuditEvent, 'event'> & { event: EventName }

export type AuditTrail = {
  /** Returns the newest events that match the filters, at most `limit`. */
  list(filters: AuditFilters, limit: number): Promise<AuditRow[]>
}

export function auditTrail({ prisma }: Database): AuditTrail {
  return {
    async list({ accountId, actorId, event, since, until, before }, limit) {
      const where: Prisma.AuditEventWhereInput = {
        ...(accountId !== undefined && { accountId }),
        ...(actorId !== undefined && { actorId }),
        ...(event !== undefined && { event }),
        AND: [
          { at: { ...(since && { gte: since }), ...(until && { lt: until }) } },
          ...(before ? [{ at: { lte: before.at } }, { OR: below(before) }] : []),
        ],
      }
      const rows = await prisma.auditEvent.findMany({ where, orderBy: [{ at: 'desc' }, { id: 'desc' }], take: limit })
      return rows as AuditRow[] // no other events are recorded
    },
  }
}

function below({ at, id }: NonNullable<AuditFilters['before']>): Prisma.AuditEventWhereInput[] {
  return [{ at: { lt: at } }, { id: { lt: id } }]
}
