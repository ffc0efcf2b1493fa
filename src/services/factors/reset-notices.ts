import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { FactorOwner } from '../../domain/accounts/account.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import type { NewMail } from '../../domain/mail.ts'
import { notifyBySms } from '../notifications/contact-change.ts'
import { composeMails, deliverSoon, type RequestInfo } from '../notifications/mail.ts'

const HOUR_SECONDS = 3600

/** The token that cancels a reset, and the hours until the reset takes effect */
type Pending = Readonly<{ token: string; hash: Uint8Array; hours: number }>

/** Composes the e-mail about a pending reset, with the link that cancels it. */
export function composeResetMails(
  { accountId, email: to }: FactorOwner,
  { token, hash, hours }: Pending,
  { client, language }: RequestInfo,
  context: Context,
): NewMail[] {
  const values = { link: buildEmailLink(context.factorResetUrl, token, 'cancel-factor-reset'), hours }
  const cancel = { hash, seconds: hours * HOUR_SECONDS }
  const about = 'factor_reset_pending'
  return composeMails([{ accountId, to, about, language, values, reference: client.requestId, token: cancel }], context)
}

/**
 * Sends the e-mail, and an SMS to a verified number. The SMS has no link, because operators drop messages with links of
 * senders that have not registered them: a login with a factor cancels the reset as well.
 */
export function announceReset(
  { accountId, phone: e164, phoneCode: callingCode, phoneVerified }: FactorOwner,
  hours: number,
  request: RequestInfo,
  context: Context,
): void {
  deliverSoon(context)
  if (!phoneVerified) return
  const values = { hours: String(hours) }
  notifyBySms({ accountId, phone: { e164, callingCode }, values }, 'factor_reset_sms', request, context)
}

/** Composes the e-mails about a reset of the factors of an administrator, for all administrators. */
export function composeAdministratorMails(
  { accountId, email }: Pick<FactorOwner, 'accountId' | 'email'>,
  administrators: readonly Readonly<{ id: number; email: string }>[],
  { client, language }: RequestInfo,
  context: Context,
): NewMail[] {
  const values = { email, hours: LIMITS.factors.admin_reset_hours }
  const common = { about: 'admin_factor_reset', language, values, reference: client.requestId } as const
  return composeMails(
    administrators.filter(({ id }) => id !== accountId).map(({ id, email: to }) => ({ accountId: id, to, ...common })),
    context,
  )
}
