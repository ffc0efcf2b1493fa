import type { Context } from '../../context.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { AccountStatus } from '../../domain/accounts/administration.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import type { NewMail } from '../../domain/mail.ts'
import { notifyContactBySms } from '../notifications/contact-change.ts'
import { composeMails, deliverSoon, type Composing, type Notice, type RequestInfo } from '../notifications/mail.ts'

const HOUR_MS = 3_600_000

/** The token that cancels a reset, and the time at which the reset takes effect, which can be that of an earlier one */
type Pending = Readonly<{ token: string; hash: Uint8Array; resetAt: Date }>

/** Composes the e-mail about a pending reset, with the link that cancels it. */
export function composeResetMails(
  { accountId, email: to }: Contact,
  { token, hash, resetAt }: Pending,
  { client, language }: RequestInfo,
  context: Context,
): NewMail[] {
  const values = {
    link: buildEmailLink(context.factorResetUrl, token, 'cancel-factor-reset'),
    hours: hoursUntil(resetAt, context),
  }
  const cancel = { hash, seconds: (resetAt.getTime() - context.clock.nowMs()) / 1000 }
  const about = 'factor_reset_pending'
  return composeMails([{ accountId, to, about, language, values, reference: client.requestId, token: cancel }], context)
}

/**
 * Sends the e-mail, and an SMS to a verified number. The SMS has no link, because operators drop messages with links of
 * senders that have not registered them: a login with a factor cancels the reset as well.
 */
export function announceReset(owner: Contact, resetAt: Date, request: RequestInfo, context: Context): void {
  deliverSoon(context)
  const values = { hours: String(hoursUntil(resetAt, context)) }
  notifyContactBySms(owner, 'factor_reset_sms', request, context, values)
}

/** Returns the hours until a reset takes effect, as notices name them. */
function hoursUntil(resetAt: Date, { clock }: Pick<Context, 'clock'>): number {
  return Math.max(1, Math.round((resetAt.getTime() - clock.nowMs()) / HOUR_MS))
}

type Owner = Pick<Contact, 'accountId' | 'email'>
type Administrators = readonly Readonly<{ id: number; email: string; status: AccountStatus }>[]
type Occasion = Pick<Notice, 'language' | 'reference'>

/** Composes the e-mails about a reset of the factors of an administrator, for the other administrators. */
export function composeAdministratorMails(
  owner: Owner,
  { administrators, resetAt }: { administrators: Administrators; resetAt: Date },
  { client, language }: RequestInfo,
  context: Context,
): NewMail[] {
  const values = { email: owner.email, hours: hoursUntil(resetAt, context) }
  const occasion = { about: 'admin_factor_reset', language, values, reference: client.requestId } as const
  return composeMails(toOthers(owner, administrators, occasion), context)
}

/** Composes the e-mails about factors that the operator has removed, for the owner, and for the other administrators. */
export function composeRemovalMails(
  owner: Owner,
  administrators: Administrators,
  occasion: Occasion,
  composing: Composing,
): NewMail[] {
  const notice = { accountId: owner.accountId, to: owner.email, about: 'factors_removed', ...occasion } as const
  const others = toOthers(owner, administrators, {
    about: 'admin_factors_removed',
    values: { email: owner.email },
    ...occasion,
  })
  return composeMails([notice, ...others], composing)
}

function toOthers(
  { accountId }: Owner,
  administrators: Administrators,
  occasion: Omit<Notice, 'accountId' | 'to'>,
): Notice[] {
  const others = administrators.filter(({ id, status }) => id !== accountId && status === 'active')
  return others.map(({ id, email: to }) => ({ accountId: id, to, ...occasion }))
}
