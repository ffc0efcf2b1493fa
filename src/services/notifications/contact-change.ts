// Every change of an e-mail address or a phone number is announced to the old address and to the old number.
import type { Context } from '../../context.ts'
import type { ContactChange } from '../../domain/accounts/account.ts'
import { NOT_OPENED } from '../../domain/accounts/undo.ts'
import type { NewMail } from '../../domain/mail.ts'
import { maskEmail, maskPhone } from '../../domain/text.ts'
import { requestMail, type NoticeContent, type RequestInfo } from './mail.ts'
import { announceChange, composeUndoable, type NewProofs } from './undo-notice.ts'

/** The changes of an update, also of the password, and the proofs that undo them */
type Updated = ContactChange & Readonly<{ hasPassword: boolean; undo: () => NewProofs }>

/** Composes the e-mails about the changes of an update, and the request to verify a new address. */
export function composeUpdateMails(updated: Updated, request: RequestInfo, context: Context): NewMail[] {
  const { before, email, opened, undo } = updated
  const verification = { kind: 'verification', accountId: before.accountId, email: email.to } as const
  const notices = listNotices(updated)
  return [
    ...(notices.length === 0 ? [] : composeUndoable(notices, opened, undo(), request, context)),
    ...(email.outcome === 'unchanged' ? [] : requestMail(verification, request, context)),
  ]
}

function listNotices({ before, email: { to, outcome }, newPhone, hasPassword, opened }: Updated): NoticeContent[] {
  const { accountId } = before
  const old = { accountId, to: before.email }
  const values = { email: maskEmail(to) }
  const requested = (address: string): NoticeContent => {
    const about = address === opened.linkTo ? 'email_change' : 'email_change_notice'
    return { about, values, accountId, to: address }
  }
  return [
    ...(outcome === 'replaced' ? [{ about: 'email', values, ...old } as const] : []),
    ...(outcome === 'pending' ? [...new Set([before.email, opened.linkTo ?? before.email])].map(requested) : []),
    ...(newPhone === undefined ? [] : [{ about: 'phone', values: { phone: maskPhone(newPhone) }, ...old } as const]),
    ...(hasPassword ? [{ about: 'password', ...old } as const] : []),
  ]
}

/** Announces the changes of an update to the old number, with the code that undoes them if it was stored. */
export function announceUpdateBySms(updated: Updated, request: RequestInfo, context: Context): void {
  const { before, email, newPhone, hasPassword, opened, undo } = updated
  const kinds = [
    ...(email.outcome === 'replaced' ? ['email' as const] : []),
    ...(newPhone === undefined ? [] : ['phone' as const]),
    ...(hasPassword ? ['password' as const] : []),
  ]
  for (const [index, what] of kinds.entries()) {
    const once = index === 0 ? opened : NOT_OPENED // one code undoes all
    announceChange(before, { what, opened: once, undo: undo() }, request, context)
  }
}
