import { toMailFailure } from '../../adapters/mail/failure.ts'
import type { Context } from '../../context.ts'
import {
  mailRetrySeconds,
  type DueMail,
  type MailContent,
  type MailRules,
  type QueuedMessage,
} from '../../domain/mail.ts'
import type { Observers } from '../../lib/observers.ts'
import { resumeTrace } from '../../lib/tracing.ts'
import type { Store } from '../../store/index.ts'
import { startDispatcher, type Dispatcher } from './dispatcher.ts'
import { countLoneRefusals, type LoneRefusals } from './mail-refusals.ts'
import { createMailCircuit, type MailCircuit } from './mail-circuit.ts'

/** The connections to the mail server */
const IN_FLIGHT_MAX = 5
/** Changes of this process wake the dispatcher. Polls find retries, and e-mails of processes that have ended. */
const POLL_MS = 5000
/** Longer than a mail server usually takes, because the outcome of an interrupted attempt is unknown */
const SETTLE_MS_MAX = 5000
/** The delay before an e-mail of an unknown key is tried again. Another instance may know the key, or this one soon. */
const UNKNOWN_KEY_SECONDS = 15
const UNKNOWN_KEY = 'sealed with an unknown key'
/** The delay before an e-mail is prepared again after an error of the service itself */
const PREPARE_AGAIN_SECONDS = 10

type Parts = Pick<Context, 'mail' | 'mailSeal' | 'log'> & {
  mails: Store['mails']
  rules: MailRules
  circuit: MailCircuit
  refusals: LoneRefusals
}

/** Sends due e-mails until it is stopped, and when an operation wakes it. Without a mail server, it sends nothing. */
export function startMailDispatcher(context: Context, rules: MailRules, { metrics, tracer }: Observers): Dispatcher {
  const { store, mail, mailSeal, log } = context
  const nothing = (): Promise<void> => Promise.resolve()
  if (!mail.isOffered) return { wake: () => undefined, settle: nothing, stop: nothing }
  const { mails } = store
  const circuit = createMailCircuit(context.clock, metrics)
  const takeDue = async (limit: number): Promise<DueMail[]> => {
    const allowed = circuit.allow(limit)
    return allowed === 0 ? [] : mails.takeDue(allowed)
  }
  const queue = { takeDue, giveBack: mails.giveBack, renewLeases: mails.renewLeases }
  const parts = { mails, mail, mailSeal, rules, log, circuit, refusals: countLoneRefusals() }
  const dispatcher = startDispatcher<DueMail>(queue, {
    names: { delivery: 'an e-mail', due: 'due e-mails' },
    inFlightMax: IN_FLIGHT_MAX,
    pollMs: POLL_MS,
    settleMsMax: SETTLE_MS_MAX,
    deliver: (due) => resumeTrace(tracer, due.traceParent, () => deliver(due, parts)),
    cutOff: () => mail.close(),
    log,
  })
  // the random delay hides whether a request has stored an e-mail
  const wake = (): void => {
    try {
      context.background.enqueue('delivery of e-mails', dispatcher.settle)
    } catch (error) {
      log.debug({ err: error }, 'delivery of e-mails waits for the next poll')
    }
  }
  return { ...dispatcher, wake }
}

async function deliver(due: DueMail, parts: Parts): Promise<void> {
  const { mails, mailSeal, rules, log } = parts
  const content = mailSeal.open(due.sealed)
  const outdated = outdatedReason(due)
  if (outdated !== undefined) return abandon(due, content, content ? outdated : UNKNOWN_KEY, parts)
  const ready = content?.kind === 'message' && due.others.length > 0 ? rules.digest(content, due) : content
  if (!ready) {
    log.warn({ ...describe(due), failure: UNKNOWN_KEY }, 'e-mail not sent, retry scheduled')
    return mails.retry(due, UNKNOWN_KEY, UNKNOWN_KEY_SECONDS) // another instance may know the key
  }

  let message: QueuedMessage | undefined
  try {
    message = ready.kind === 'message' ? ready : await rules.prepare(ready, due)
  } catch (error) {
    log.warn({ ...describe(due), err: error }, 'e-mail could not be prepared, retry scheduled')
    return mails.retry(due, 'could not be prepared', PREPARE_AGAIN_SECONDS)
  }
  return message ? send(message, due, parts) : mails.remove(due)
}

async function send(message: QueuedMessage, due: DueMail, parts: Parts): Promise<void> {
  const { to, subject, text, reference } = message
  try {
    await parts.mail.send({ to, subject, text, reference, messageId: due.messageId })
  } catch (error) {
    return fail(due, message, error, parts)
  }
  parts.circuit.succeed()
  parts.refusals.accept(due.id)
  parts.log.info(describe(due), 'e-mail sent')
  return parts.mails.remove(due)
}

/** Returns why an e-mail is no longer of use; undefined if it is. */
function outdatedReason({ isObsolete, secondsLeft, others }: DueMail): string | undefined {
  if (secondsLeft <= 0) return 'expired'
  return isObsolete && others.length === 0 ? 'the link is no longer valid' : undefined
}

/** Schedules a retry, or abandons the e-mail if the failure is final, meets only this e-mail, or the e-mail would expire before. */
async function fail(due: DueMail, message: QueuedMessage, error: unknown, parts: Parts): Promise<void> {
  const { failure, isFinal, isOfServer, isRefusal } = toMailFailure(error)
  if (isOfServer) parts.circuit.fail()
  else if (!isRefusal) parts.circuit.succeed()
  const isGivenUp = isFinal || (isRefusal && parts.refusals.refuse(due.id))
  const seconds = isGivenUp ? undefined : mailRetrySeconds(due.attempts, due.secondsLeft, Math.random())
  if (seconds === undefined) return abandon(due, message, failure, parts)
  parts.log.warn({ ...describe(due), failure }, 'e-mail not sent, retry scheduled')
  return parts.mails.retry(due, failure, seconds)
}

/** Removes the content, and returns the budget. */
async function abandon(due: DueMail, content: MailContent | undefined, failure: string, parts: Parts): Promise<void> {
  parts.log.error({ ...describe(due), failure }, 'e-mail not sent, no more retries')
  await parts.mails.abandon(due, failure)
  if (content?.kind === 'message') await parts.rules.refund(content, due)
}

function describe({ messageId, accountId, topic, attempts, others }: DueMail): object {
  return { messageId, accountId, topic, attempts, ...(others.length > 0 && { notices: others.length + 1 }) }
}
