import type { Context } from '../../context.ts'
import { toAuditContext, type AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { composeMails, type RequestInfo } from '../notifications/mail.ts'

type Records = { auditContext: AuditContext; toMails: (recovered: { id: number; email: string }) => NewMail[] }

/** Returns what the transaction of a reset records: the request, and the notice to the account. */
export function resetRecords({ client, language }: RequestInfo, context: Context): Records {
  const reference = client.requestId
  return {
    auditContext: toAuditContext(client),
    toMails: ({ id: accountId, email: to }) =>
      composeMails([{ accountId, to, about: 'password', language, reference }], context),
  }
}
