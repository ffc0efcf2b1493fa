// Undoing changes with the proofs that notices contain: tokens of links in e-mails, and codes by SMS.
import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { AnyCall } from '../contract/operation.ts'
import { toAuditContext } from '../domain/audit/audit-context.ts'
import { networkRequester } from '../domain/limits.ts'
import type { NewMail } from '../domain/mail.ts'
import { buildResetLink } from '../domain/passwords/password.ts'
import type { Phone } from '../domain/phones/phone.ts'
import { maskEmail } from '../domain/text.ts'
import { toFactorRecords } from './factors/notify.ts'
import { notifyBySms, notifyContactBySms } from './notifications/contact-change.ts'
import { composeMails, type RequestInfo } from './notifications/mail.ts'

type Hash = Uint8Array<ArrayBuffer>
type Cancellation = NonNullable<Awaited<ReturnType<Context['store']['emailCancellations']['use']>>>

/**
 * Cancels or undoes a change of the e-mail address with the token that was sent to the previous one. Returns whether it was undone;
 * undefined if there is no such token.
 */
export async function undoEmailChange(token: string, call: AnyCall, context: Context): Promise<boolean | undefined> {
  const done = await cancel({ hashes: [context.emailTokens.hash(token)] }, call, context)
  if (!done) return undefined
  if (done.outcome === 'undone') notifyContactBySms(done.before, 'email_sms', call, context)
  return done.outcome === 'undone'
}

/** Undoes changes with a code that was sent to a number, in the form in which it is stored. Returns whether it was right. */
export async function undoByPhone(phone: Phone, code: string, call: AnyCall, context: Context): Promise<boolean> {
  const hashes = context.undoCodes.hashes(phone.e164, code)
  return (await cancel({ hashes, phone }, call, context)) !== undefined
}

/** Undoes a reset by phone with the token that was sent by e-mail. Returns whether there is such a token. */
export async function undoReset(token: string, call: AnyCall, context: Context): Promise<boolean> {
  const { store, resetTokens } = context
  const tokenHash = resetTokens.hash(token)
  if (!(await store.resetUndos.has(tokenHash))) return false
  const passwordHash = await unknownPassword(call, context)
  const records = toFactorRecords('factors_undone', call, context)
  const undone = await store.resetUndos.use(tokenHash, passwordHash, records)
  if (!undone) return false
  const { id: accountId, phone: e164, phoneCode: callingCode } = undone
  if (e164 !== null) notifyBySms({ accountId, phone: { e164, callingCode } }, 'reset_undone_sms', call, context)
  return true
}

type Proof = Readonly<{ hashes: readonly Hash[]; phone?: Phone }>

async function cancel({ hashes, phone }: Proof, call: AnyCall, context: Context): Promise<Cancellation | undefined> {
  const { store, resetTokens } = context
  if (!(await store.emailCancellations.has(hashes))) return undefined
  const token = resetTokens.newToken()
  const reset = { token, hash: resetTokens.hash(token) }
  const made = { passwordHash: await unknownPassword(call, context), resetHash: reset.hash, ...(phone && { phone }) }
  return store.emailCancellations.use(hashes, made, {
    auditContext: toAuditContext(call.client),
    toMails: (done) => composeUndoMails(done, reset, call, context),
    removal: toFactorRecords('factors_undone', call, context),
  })
}

function unknownPassword({ client, abandoned }: AnyCall, { passwords, resetTokens }: Context): Promise<string> {
  return passwords.hash(resetTokens.newToken(), networkRequester(client.network, abandoned))
}

/** Composes a link for the restored address that sets a new password, if it gets one, and a notice to the other address. */
function composeUndoMails(
  { outcome, email, hasLink, before }: Cancellation,
  { token, hash }: { token: string; hash: Uint8Array },
  request: RequestInfo,
  context: Context,
): NewMail[] {
  if (outcome !== 'undone') return []
  const { accountId } = before
  const { minutes } = LIMITS.reset
  const values = { link: buildResetLink(context.resetUrl, token), minutes }
  const restored = {
    accountId,
    to: email,
    about: 'email_undone',
    values,
    token: { hash, seconds: minutes * 60 },
  } as const
  const replaced = { accountId, to: before.email, about: 'email', values: { email: maskEmail(email) } } as const
  const notices = [...(hasLink ? [restored] : []), ...(email === before.email ? [] : [replaced])]
  return composeMails(notices, request, context)
}
