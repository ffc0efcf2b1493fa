import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { FactorOwner } from '../../domain/accounts/account.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import type { NewMail } from '../../domain/mail.ts'
import { notifyBySms } from '../notifications/contact-change.ts'
import { composeMails, deliverSoon, type Composing, type Notice, type RequestInfo } from '../notifications/mail.ts'

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

type Owner = Pick<FactorOwner, 'accountId' | 'email'>
type Administrators = readonly Readonly<{ id: number; email: string }>[]
type Occasion = Pick<Notice, 'language' | 'reference'>

/** Composes the e-mails about a reset of the factors of an administrator, for the other administrators. */
export function composeAdministratorMails(
  owner: Owner,
  administrators: Administrators,
  { client, language }: RequestInfo,
  context: Context,
): NewMail[] {
  const occasion = { about: 'admin_factor_reset', language, reference: client.requestId } as const
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
  const others = toOthers(owner, administrators, { about: 'admin_factors_removed', ...occasion })
  return composeMails([notice, ...others], composing)
}

function toOthers(
  { accountId, email }: Owner,
  administrators: Administrators,
  occasion: Pick<Notice, 'about' | 'language' | 'reference'>,
): Notice[] {
  const values = { email, hours: LIMITS.factors.admin_reset_hours }
  const others = administrators.filter(({ id }) => id !== accountId)
  return others.map(({ id, email: to }) => ({ accountId: id, to, values, ...occasion }))
}
