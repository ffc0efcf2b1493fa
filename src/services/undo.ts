// Undoing changes with the proofs of notices: tokens of links in e-mails, and codes by SMS.
import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { AnyCall } from '../contract/operation.ts'
import { toAuditContext } from '../domain/audit/audit-context.ts'
import { networkRequester } from '../domain/requester.ts'
import type { NewMail } from '../domain/mail.ts'
import { buildResetLink } from '../domain/passwords/password.ts'
import type { Phone } from '../domain/phones/phone.ts'
import { maskEmail } from '../domain/text.ts'
import { toFactorRecords } from './factors/notify.ts'
import { composeMails, type NoticeContent, type RequestInfo } from './notifications/mail.ts'
import { notifyContactBySms } from './notifications/sms.ts'

type Undos = Context['store']['undos']
type Undone = NonNullable<Awaited<ReturnType<Undos['use']>>>

/** Undoes changes with the token of a notice. Returns what it did; undefined if there is no such token. */
export async function undoByToken(
  token: string,
  call: AnyCall,
  context: Context,
): Promise<Undone['outcome'] | undefined> {
  const done = await undo({ hashes: [context.emailTokens.hash(token)], by: 'email' }, call, context)
  if (done?.outcome === 'undone') notifyContactBySms(done.before, 'undone_sms', call, context)
  return done?.outcome
}

/** Undoes changes with a code that was sent to a number, in the form in which it is stored. Returns whether it was right. */
export async function undoByPhone({ e164 }: Phone, code: string, call: AnyCall, context: Context): Promise<boolean> {
  const hashes = context.undoCodes.hashes(e164, code)
  return (await undo({ hashes, by: 'phone' }, call, context)) !== undefined
}

async function undo(proof: Parameters<Undos['use']>[0], call: AnyCall, context: Context): Promise<Undone | undefined> {
  const { store, passwords, resetTokens } = context
  const { client, abandoned } = call
  if (!(await store.undos.has(proof.hashes))) return undefined
  const token = resetTokens.newToken()
  const resetHash = resetTokens.hash(token)
  const passwordHash = await passwords.hash(resetTokens.newToken(), networkRequester(client.network, abandoned)) // of no known password
  return store.undos.use(
    proof,
    { passwordHash, resetHash },
    {
      auditContext: toAuditContext(client),
      toMails: (done) => composeUndoMails(done, { token, hash: resetHash }, call, context),
      removal: toFactorRecords('factors_undone', call, context),
    },
  )
}

/** Composes a link for the restored address that sets a new password, if it gets one, and a notice to the other address. */
function composeUndoMails(
  { outcome, email, hasLink, before }: Undone,
  { token, hash }: { token: string; hash: Uint8Array },
  request: RequestInfo,
  context: Context,
): NewMail[] {
  if (outcome !== 'undone') return []
  const { accountId } = before
  const { minutes } = LIMITS.reset
  const values = { link: buildResetLink(context.resetUrl, token), minutes }
  const restored = { accountId, to: email, about: 'undone', values, token: { hash, seconds: minutes * 60 } } as const
  const replaced = { accountId, to: before.email, about: 'email', values: { email: maskEmail(email) } } as const
  const notices: NoticeContent[] = [...(hasLink ? [restored] : []), ...(email === before.email ? [] : [replaced])]
  return composeMails(notices, request, context)
}
