import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import { isReleased } from '../../domain/accounts/recovery.ts'
import { MAIL_DAYS_MAX, type MailBudget, type NewMail, type QueuedMessage } from '../../domain/mail.ts'
import { say, type Language, type MailTopic, type MessageKey } from '../../messages/index.ts'
import { noticeKind } from './digest.ts'

export type RequestInfo = Readonly<{ client: Client; language: Language }>

export type Notice = {
  accountId: number
  to: string
  about: MailTopic
  language: Language
  values?: Record<string, string | number>
  /** The id of the request that caused it */
  reference: string
  /** The token in the text, and how long it is valid */
  token?: { hash: Uint8Array; seconds: number }
  budget?: MailBudget
  /** The time by which the sends of the account count it */
  countedAt?: Date
}

/** A notice of a request, which has its language and its id */
export type NoticeContent = Omit<Notice, 'language' | 'reference'>
type Request = Readonly<{ client: Pick<Client, 'requestId'>; language: Language }>

type Sealing = Pick<Context, 'mailSeal' | 'recipientHash'>
/** What composes e-mails of the outbox */
export type Composing = Sealing & { mail: Pick<Context['mail'], 'isOffered'> }

const DAY_SECONDS = 86_400

/**
 * Composes e-mails in the language of the request, for the transaction of the change that they are about. Returns none if
 * no mail server is configured. Released addresses get none.
 */
export function composeMails(
  notices: readonly NoticeContent[],
  { client: { requestId: reference }, language }: Request,
  context: Composing,
): NewMail[] {
  if (!context.mail.isOffered) return []
  return notices
    .filter(({ to }) => !isReleased(to))
    .map((notice) => composeMail({ ...notice, language, reference }, context))
}

export function composeMail(notice: Notice, { mailSeal, recipientHash }: Sealing): NewMail {
  const { accountId, to, about, token, countedAt } = notice
  const kind = noticeKind(about)
  return {
    accountId,
    topic: about,
    sealed: mailSeal.seal(renderMail(notice)),
    lifeSeconds: Math.min(token?.seconds ?? Infinity, MAIL_DAYS_MAX * DAY_SECONDS),
    tokenHash: token?.hash,
    countedAt,
    recipient: kind && recipientHash(`${kind} ${to}`),
  }
}

export function renderMail({ to, about, language, values, reference, budget }: Notice): QueuedMessage {
  const subject = say(language, `${about}_mail_subject`)
  const texts = [`${about}_mail_text` as const, ...listAdvice(about, values)]
  return {
    kind: 'message',
    to,
    subject,
    text: texts.map((key) => say(language, key, values)).join('\n\n'),
    reference,
    budget,
    language,
  }
}

/** The topics of changes whose notice says what to do if another person has made them */
const CHANGES = new Set<MailTopic>([
  ...(['email', 'phone', 'password', 'password_reset'] as const),
  ...(['totp_added', 'totp_removed', 'passkey_added', 'passkey_removed', 'recovery_codes_renewed'] as const),
])

function listAdvice(about: MailTopic, values: Notice['values'] = {}): MessageKey[] {
  if (!CHANGES.has(about)) return []
  const undo = 'undo' in values ? 'undo_mail_text' : 'no_undo_mail_text'
  return 'consent' in values ? [undo, 'consent_mail_text'] : [undo]
}

/** How long the links of e-mails are valid, and so how long a request for one may wait */
const REQUEST_MINUTES = { reset: LIMITS.reset.minutes, verification: LIMITS.email.link_hours * 60, half_login: 1440 }

type Requester = Readonly<{ client: Pick<Client, 'address' | 'requestId'> & Partial<Client>; language: Language }>
type Requested = Readonly<{ kind: keyof typeof REQUEST_MINUTES; email: string; accountId?: number; isSolved?: boolean }>

/**
 * Builds the request for an e-mail that is prepared after the response, so that the response time reveals nothing about
 * the account, or because its parts are not known yet. Returns none if no mail server is configured.
 */
export function requestMail(
  { kind, accountId, ...asked }: Requested,
  { client: { address, network, requestId }, language }: Requester,
  { mail, mailSeal }: Composing,
): NewMail[] {
  if (!mail.isOffered) return []
  const sealed = mailSeal.seal({ kind, ...asked, language, address, network, requestId })
  const delaySeconds = kind === 'half_login' ? LIMITS.factors.half_login_minutes * 60 : 0
  const lifeSeconds = REQUEST_MINUTES[kind] * 60
  return [{ accountId, topic: `${kind}_request`, sealed, lifeSeconds, delaySeconds }]
}
