// Notices of changes that their recipient can undo: with the token of a link, or with the code of an SMS.
import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { NewUndo, OpenedUndo } from '../../domain/accounts/undo.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import type { NewMail } from '../../domain/mail.ts'
import { notifyContactBySms } from './sms.ts'
import { composeMails, type NoticeContent, type RequestInfo } from './mail.ts'

/** New proofs, of which a change stores those that are to be sent */
export type NewProofs = NewUndo & Readonly<{ token: string; code: string }>

export function newUndo({ emailTokens, undoCodes }: Pick<Context, 'emailTokens' | 'undoCodes'>): NewProofs {
  const token = emailTokens.newToken()
  const code = undoCodes.newCode()
  return { token, code, tokenHash: emailTokens.hash(token), codeHash: (phone) => undoCodes.hash(phone, code) }
}

const DAY_SECONDS = 86_400

/**
 * Composes notices of one change, of which those to the address that can undo it get the link.
 *
 * @param more further values of the notices with the link
 */
export function composeUndoable(
  notices: readonly NoticeContent[],
  { linkTo }: OpenedUndo,
  { token, tokenHash: hash }: NewProofs,
  request: RequestInfo,
  context: Context,
  more: NoticeContent['values'] = {},
): NewMail[] {
  const days = LIMITS.email.undo_days
  const undo = buildEmailLink(context.emailUrl, token, 'cancel')
  const linked = ({ values, ...notice }: NoticeContent): NoticeContent => ({
    ...notice,
    values: { ...values, ...more, undo, days },
    token: { hash, seconds: days * DAY_SECONDS },
  })
  const isSent = linkTo === undefined || notices.some(({ to }) => to === linkTo)
  const others = isSent ? [] : notices.slice(0, 1).map((notice) => ({ ...notice, to: linkTo })) // a former address
  const all = [...notices, ...others].map((notice) => (notice.to === linkTo ? linked(notice) : notice))
  return composeMails(all, request, context)
}

const GROUPS = /.{5}/g

type Announced = Readonly<{ what: 'email' | 'phone' | 'factors' | 'password'; opened: OpenedUndo; undo: NewProofs }>

/** Announces a change to the number before it, with the code that undoes it if it was stored. A new password is announced only with a code. */
export function announceChange(
  before: Contact,
  { what, opened: { hasCode }, undo }: Announced,
  request: RequestInfo,
  context: Context,
): void {
  if (hasCode) {
    const values = { code: undo.code.match(GROUPS)?.join('-') ?? '', days: String(LIMITS.email.undo_days) }
    const onSent = (): Promise<void> => context.store.undos.noteSent(undo.codeHash(before.phone))
    notifyContactBySms(before, `${what}_undo_sms`, request, context, { values, onSent })
  } else if (what !== 'password') notifyContactBySms(before, `${what}_sms`, request, context)
}
