import type { Context } from '../../context.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { AnyCall, Client } from '../../contract/operation.ts'
import {
  send,
  withdrawSend,
  type CodePurpose,
  type CodeUse,
  type PhoneVerification,
  type CountedSend,
} from '../../domain/phones/phone-verification.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { secondsToNextSend } from '../../domain/phones/otp-limits.ts'
import type { Channel, FindProof, SmsResult, CodeTexts, Speech } from '../../domain/phones/sms.ts'
import { fillIn, say, type Language } from '../../messages/index.ts'
import { requestCounters, toNetwork48 } from './code-requests.ts'
import { LIMITS } from '../../../generated/limits.ts'

/** `Retry-After` when every provider refused the message, which does not count as sent */
const REFUSED_SECONDS = 10

type Sending = {
  phone: Phone
  channel: Channel
  /** The channels that the code may be sent by. It falls back to SMS only if SMS is one of them; all if undefined */
  offered?: readonly Channel[]
  purpose: CodePurpose
  /** What the code is for, unless for its purpose */
  use?: CodeUse
  language: Language
  client: Client
  isSilent?: boolean
  findProof?: FindProof
  /** Sends only to a number that no account has verified, and records the check */
  checked?: AuditContext
}

/** The outcome of a send, and the seconds until the next code can be sent if this one counts */
export type Sent = SmsResult & { nextSeconds: number }

/**
 * Sends the code of the current verification, or of a new one. A silent send is counted but not sent, so that later requests do not
 * reveal whether a message was sent.
 *
 * @throws Failure 422 `phone_taken`, 429 if a limit of the number is reached, and those of `Sms.send`
 */
export async function sendCode(sending: Sending, context: Context): Promise<Sent> {
  const { phone, channel, offered, purpose, use = purpose, language, client, isSilent, findProof } = sending
  const { codes, codeTexts, sms } = context
  const { nextSeconds, ...counted } = await countSend(sending, context)
  if (isSilent) return { outcome: 'taken', nextSeconds }
  const { verification } = counted
  const code = codes.codeFor({ ...verification, purpose: use })
  const texts = writeCode({ code, verification, use, language }, codeTexts)
  const content = { ...texts, code, language, channel, offered, purpose, reference: client.requestId } as const
  let result: SmsResult = { outcome: 'refused' }
  try {
    const { windowId } = verification
    result = await sms.send({ to: phone, ...content, network: toNetwork48(client), windowId, findProof })
  } finally {
    if (result.outcome === 'refused') await withdraw(counted, context)
  }
  return { ...result, nextSeconds }
}

/** A send that was counted, and the seconds until the next one */
type Counted = CountedSend & { nextSeconds: number }

/** Counts a send for its number. A rejection is decided together with the verification, so that the check is recorded once. */
async function countSend({ phone, purpose, client, checked }: Sending, context: Context): Promise<Counted> {
  const { store, codes, unlimitedPhones, networkHash } = context
  const by = networkHash(toNetwork48(client))
  const about = { phone: phone.e164, purpose }
  const options = { by, isLimited: !unlimitedPhones.has(phone.e164) }
  const sendNow = (before: PhoneVerification | undefined, nowMs: number): Counted => {
    const verification = send(before, about, codes.newWindowId(), nowMs, options)
    return { before, verification, nextSeconds: secondsToNextSend(verification, by, nowMs) }
  }
  if (!checked) {
    return store.phoneVerifications.change(about, (current, nowMs) => {
      const counted = sendNow(current, nowMs)
      return { ...counted, next: counted.verification }
    })
  }
  const { counted } = await store.phoneVerifications.changeUnowned(about, (current, nowMs, isTaken) => {
    const event = { event: isTaken ? 'phone_found_taken' : 'phone_checked', ...checked } as const
    const counted = isTaken ? invalidData({ phone: ['phone_taken'] }) : orFailure(() => sendNow(current, nowMs))
    return { counted, event, next: counted instanceof Failure ? current : counted.verification }
  })
  if (counted instanceof Failure) throw counted
  return counted
}

/** Returns the failure that a function throws. */
function orFailure<Result>(act: () => Result): Result | Failure {
  try {
    return act()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/**
 * Counts a request for the code of a reset, and sends the code by SMS.
 *
 * @throws Failure 429 if a limit of the number or of the network is reached, 503 `sms_unavailable`
 */
export async function sendResetCode(
  phone: Phone,
  use: 'reset' | 'factor_reset',
  { client, language, rateLimiter }: AnyCall,
  context: Context,
): Promise<void> {
  await rateLimiter.consume(requestCounters(client))
  const sent = await sendCode({ phone, channel: 'sms', purpose: 'reset', use, language, client }, context)
  const failure = sendFailure(sent)
  if (failure) throw failure
}

/** Returns the Failure 503 `sms_unavailable` unless a provider has accepted the message. */
export function sendFailure({ outcome, nextSeconds }: Sent): Failure | undefined {
  if (outcome === 'taken') return undefined
  const retryAfterSeconds = outcome === 'refused' ? REFUSED_SECONDS : Math.max(1, nextSeconds)
  return new Failure('sms_unavailable', { retryAfterSeconds })
}

/** Undoes a send that was counted: every provider refused it, or no budget was left. */
async function withdraw(counted: CountedSend, { store, log }: Context): Promise<void> {
  await store.phoneVerifications
    .change(counted.verification, (current) => ({ next: current && withdrawSend(current, counted) }))
    .catch((error: unknown) =>
      log.error({ err: error }, 'rejected SMS could not be removed from the counters of its number'),
    )
}

/** The text of each use. It says what the code is for. */
const TEXTS = { verification: 'otp_text', reset: 'reset_otp_text', factor_reset: 'factor_reset_otp_text' } as const

type About = Readonly<{ code: string; verification: PhoneVerification; use: CodeUse; language: Language }>

/** Returns the text of a message with a code, and what a call says instead. Calls only verify numbers. */
function writeCode(
  { code, verification, use, language }: About,
  own: CodeTexts,
): { text: string; speech: Speech | undefined } {
  const values = { code, minutes: LIMITS.otp.confirm_minutes, resend: markResend(verification) }
  const template = use === 'factor_reset' ? undefined : own[use]?.[language]
  const text = template === undefined ? say(language, TEXTS[use], values) : fillIn(template, language, values)
  if (use !== 'verification') return { text, speech: undefined }
  const prompt = say(language, 'otp_prompt', { key: '{key}' })
  return { text, speech: { prompt, text: say(language, 'otp_speech', { digits: [...code].join(', ') }) } }
}

/** Returns the end of the text of a code that is sent again, such as ` (2)`. */
function markResend({ sends, startedAtMs }: PhoneVerification): string {
  const count = sends.filter(({ atMs }) => atMs >= startedAtMs).length
  return count > 1 ? ` (${count})` : ''
}
