/** The budget that an e-mail has used, by the name of its policy in openapi/rate-limits.yaml, and when */
export type MailBudget = Readonly<{ name: 'reset-mails' | 'email-verifications'; usedAtMs: number }>

/** An e-mail that is ready to be sent. */
export type MailMessage = Readonly<{ to: string; subject: string; text: string; reference: string }>

/** The request that an e-mail is prepared for after the response, and whether it had the solution of a challenge */
export type MailRequest = Readonly<{ email: string; language: 'ar' | 'en'; address: string; requestId: string }> &
  Readonly<{ network?: string | undefined; isSolved?: boolean | undefined }>

/**
 * What the outbox stores of an e-mail, encrypted. A request becomes a `message` before it is sent.
 * Instances of the previous version may read it, so members are only added.
 */
export type MailContent = QueuedMessage | QueuedRequest
export type QueuedMessage = Readonly<
  MailMessage & {
    kind: 'message'
    budget?: MailBudget | undefined
    /** The language of a digest that replaces the message */
    language?: 'ar' | 'en' | undefined
  }
>
export type QueuedRequest = Readonly<MailRequest & { kind: 'reset' | 'verification' | 'half_login' }>

/** An e-mail that is stored together with the change that it is about. */
export type NewMail = Readonly<{
  /** Undefined if the account is not known, or if the statement that stores it knows it */
  accountId: number | undefined
  topic: string
  sealed: Uint8Array
  /** How long it may wait, from the time of the database */
  lifeSeconds: number
  /** Undefined to send it at once */
  delaySeconds?: number
  /** The token in the text: the e-mail is not sent after the token has been used or invalidated */
  tokenHash?: Uint8Array | undefined
  /** The time by which the sends of the account count it */
  countedAt?: Date | undefined
  /** The hashed recipient of a notice, which is limited per hour; undefined for other e-mails */
  recipient?: string | undefined
}>

/** Identifies an attempt to send an e-mail, or a digest with its other notices. */
export type MailAttempt = Readonly<{ id: bigint; takenAt: Date; others?: readonly Readonly<{ id: bigint }>[] }>

export type DigestedNotice = Readonly<{
  id: bigint
  topic: string
  sealed: Uint8Array
  createdAt: Date
  hasToken: boolean
  /** Whether the token in the text is no longer valid */
  isObsolete: boolean
}>

export type DueMail = MailAttempt &
  DigestedNotice &
  Readonly<{
    messageId: string
    accountId: number | null
    /** The notices that are sent in one digest with this one; empty for an e-mail that is sent by itself */
    others: readonly DigestedNotice[]
    attempts: number
    /** The time until it expires; not positive if it has */
    secondsLeft: number
    /** The W3C `traceparent` of the request that queued the e-mail; null if it was not traced */
    traceParent: string | null
  }>

/** The parts of a delivery that need the rules of the operations. */
export type MailRules = {
  /** Makes the e-mail of a request and stores it in place of the request. Returns undefined if there is nothing to send. */
  prepare(request: QueuedRequest, due: DueMail): Promise<QueuedMessage | undefined>
  /** Makes the e-mail that replaces several notices. Returns undefined if one of them cannot be decrypted. */
  digest(first: QueuedMessage, due: DueMail): QueuedMessage | undefined
  /** Returns the budget of an e-mail that was never sent. */
  refund(message: QueuedMessage, due: DueMail): Promise<void>
}

/** Notices without a link, and those whose link is valid for longer, wait this long for the mail server. */
export const MAIL_DAYS_MAX = 3

const RETRY_SECONDS: readonly number[] = [5, 30, 120, 300, 600, 1800]
const RETRY_SECONDS_MAX = 3600
/** Spreads retries, so that e-mails that failed together are not retried together */
const JITTER = 0.2
/** An e-mail that expires sooner is useless when it arrives. */
const USEFUL_SECONDS_MIN = 20

/**
 * Returns the delay before the next attempt in seconds; undefined if the e-mail would expire before. The delay is at most
 * half of the remaining time, so that e-mails with a short life are retried until shortly before they expire.
 *
 * @param chance random number from 0 to 1
 */
export function mailRetrySeconds(attempts: number, secondsLeft: number, chance: number): number | undefined {
  if (secondsLeft < USEFUL_SECONDS_MIN) return undefined
  const seconds = (RETRY_SECONDS[attempts - 1] ?? RETRY_SECONDS_MAX) * (1 + JITTER * chance)
  return Math.min(seconds, secondsLeft / 2)
}
