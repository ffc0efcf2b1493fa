import type { Context } from '../../context.ts'
import type { AnyCall, Body } from '../../contract/operation.ts'
import { readPhone } from '../../contract/phone-fields.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { networkRequester } from '../../domain/requester.ts'
import { toFactorRecords } from '../factors/notify.ts'
import type { RequestInfo } from '../notifications/mail.ts'
import { composeUndoable, newUndo } from '../notifications/undo-notice.ts'
import { checkNewPassword } from '../profile/check-identity.ts'
import { confirmCode } from '../phone/confirm-code.ts'

type Form = Extract<Body<'resetPassword'>, { by: 'phone' }>

/** The same delay as without a mail server */
const OFF_SECONDS = 3600

/** @throws Failure 503 `sms_unavailable` if the configuration does not allow resets by SMS alone */
export function refuseSmsReset({ smsReset }: Context): void {
  if (smsReset === 'no') throw new Failure('sms_unavailable', { retryAfterSeconds: OFF_SECONDS })
}

/** Whether an account gets a link instead of a code if its verified address can reset the password. */
export function prefersEmail({ smsReset, mail }: Pick<Context, 'smsReset' | 'mail'>): boolean {
  return smsReset === 'unless-email-verified' && mail.isOffered
}

/** Sets the password with a code from an SMS, and stores the notice about it. */
export async function resetByPhone(form: Form, request: AnyCall, context: Context): Promise<void> {
  const { store, passwords } = context
  const { client, abandoned, rateLimiter } = request
  refuseSmsReset(context)
  const read = readPhone(form, context)
  const phone = read.phone?.e164
  const requester = networkRequester(client.network, abandoned)
  const verification =
    phone && (await confirmCode({ phone, purpose: 'reset', otp: form.otp, client, rateLimiter }, context))
  const owner = verification ? await store.accounts.personalDetails(phone) : { phone } // without the code, failures must not depend on the name
  const faults = await checkNewPassword(form.password, owner, requester, context)
  const wrongPassword = faults.length > 0 ? { password: faults } : {}

  if (phone === undefined) throw invalidData({ ...read.failures, ...wrongPassword })
  if (!verification) throw invalidData({ otp: ['otp_wrong'], ...wrongPassword })
  if (faults.length > 0) throw invalidData(wrongPassword)
  const passwordHash = await passwords.hash(form.password, requester)
  const change = { verification, passwordHash, prefersEmail: prefersEmail(context) }
  const changed = await store.recovery.resetByPhone(change, recordsByPhone(request, context))
  if (!changed) throw invalidData({ otp: ['otp_wrong'] }) // no account can be recovered by this number
}

type Records = Parameters<Context['store']['recovery']['resetByPhone']>[1]

/** Returns what the transaction of a reset by phone records: the request, and the notice by e-mail that can undo it. */
function recordsByPhone(request: RequestInfo, context: Context): Records {
  const undo = newUndo(context)
  return {
    auditContext: toAuditContext(request.client),
    undo,
    toMails: ({ id: accountId, email: to }, opened) =>
      composeUndoable([{ accountId, to, about: 'password_reset' }], opened, undo, request, context),
    removal: toFactorRecords('factors_undone', request, context),
  }
}
