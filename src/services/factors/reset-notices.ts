import type { Context } from '../../context.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { AccountStatus } from '../../domain/accounts/administration.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import type { NewMail } from '../../domain/mail.ts'
import { notifyContactBySms } from '../notifications/sms.ts'
import { composeMails, type Composing, type NoticeContent, type RequestInfo } from '../notifications/mail.ts'

const HOUR_MS = 3_600_000

/** The token that cancels a reset, and the time at which the reset takes effect, which can be that of an earlier one */
type Pending = Readonly<{ token: string; hash: Uint8Array; resetAt: Date }>

/** Composes the e-mails about a pending reset: to each address that can cancel it with a link, and to the present one without. */
export function composeResetMails(
  { accountId, email, cancelling }: Contact & Readonly<{ cancelling: readonly string[] }>,
  { token, hash, resetAt }: Pending,
  request: RequestInfo,
  context: Context,
): NewMail[] {
  const hours = hoursUntil(resetAt, context)
  const link = buildEmailLink(context.factorResetUrl, token, 'cancel-factor-reset')
  const cancel = { hash, seconds: (resetAt.getTime() - context.clock.nowMs()) / 1000 }
  const linked = cancelling.map(
    (to) => ({ accountId, to, about: 'factor_reset_pending', values: { hours, link }, token: cancel }) as const,
  )
  const informed = { accountId, to: email, about: 'factor_reset_final', values: { hours } } as const
  return composeMails(cancelling.includes(email) ? linked : [...linked, informed], request, context)
}

/**
 * Sends an SMS to a verified number. It has no link, because operators drop messages with links of senders that have not
 * registered them.
 */
export function announceReset(owner: Contact, resetAt: Date, request: RequestInfo, context: Context): void {
  const values = { hours: String(hoursUntil(resetAt, context)) }
  notifyContactBySms(owner, 'factor_reset_sms', request, context, { values })
}

/** Returns the hours until a reset takes effect, as notices name them. */
function hoursUntil(resetAt: Date, { clock }: Pick<Context, 'clock'>): number {
  return Math.max(1, Math.round((resetAt.getTime() - clock.nowMs()) / HOUR_MS))
}

type Owner = Pick<Contact, 'accountId' | 'email'>
type Administrators = readonly Readonly<{ id: number; email: string; status: AccountStatus }>[]

/** Composes the e-mails about a reset of the factors of an administrator, for the other administrators. */
export function composeAdministratorMails(
  owner: Owner,
  { administrators, resetAt }: { administrators: Administrators; resetAt: Date },
  request: RequestInfo,
  context: Context,
): NewMail[] {
  const values = { email: owner.email, hours: hoursUntil(resetAt, context) }
  return composeMails(toOthers(owner, administrators, { about: 'admin_factor_reset', values }), request, context)
}

/** Composes the e-mails about factors that the operator has removed, for the owner, and for the other administrators. */
export function composeRemovalMails(
  owner: Owner,
  administrators: Administrators,
  request: Parameters<typeof composeMails>[1],
  composing: Composing,
): NewMail[] {
  const { accountId, email } = owner
  const others = toOthers(owner, administrators, { about: 'admin_factors_removed', values: { email } })
  return composeMails([{ accountId, to: email, about: 'factors_removed' }, ...others], request, composing)
}

function toOthers(
  { accountId }: Owner,
  administrators: Administrators,
  content: Pick<NoticeContent, 'about' | 'values'>,
): NoticeContent[] {
  const others = administrators.filter(({ id, status }) => id !== accountId && status === 'active')
  return others.map(({ id, email: to }) => ({ accountId: id, to, ...content }))
}
