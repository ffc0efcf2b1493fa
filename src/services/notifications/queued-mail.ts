// What becomes of an e-mail in the outbox: requests are prepared, and the budgets of unsent e-mails are returned.
import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import { isReleased } from '../../domain/accounts/recovery.ts'
import { Failure } from '../../domain/failure.ts'
import type { DueMail, MailRules, QueuedMessage, QueuedRequest } from '../../domain/mail.ts'
import { buildResetLink } from '../../domain/passwords/password.ts'
import { composeDigest } from './digest.ts'
import { composeMail, renderMail, type Notice } from './mail.ts'
import { storeVerification } from './verify-email.ts'

export function queuedMailRules(context: Context): MailRules {
  return {
    async prepare(request, due) {
      try {
        return await PREPARE[request.kind](request, due, context)
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'rate_limited')) throw error
        context.log.info({ requestId: request.requestId, err: error }, 'e-mail not prepared')
        return undefined
      }
    },
    digest: (first, due) => composeDigest(first, due, context),
    async refund({ to, budget }) {
      if (budget) await context.limits.giveBack({ policy: RATE_LIMITS[budget.name], key: to }, budget.usedAtMs)
    },
  }
}

/** Prepares the message that resets the password of the account with an address, if there is one. */
async function prepareReset(
  request: QueuedRequest,
  due: DueMail,
  context: Context,
): Promise<QueuedMessage | undefined> {
  const { store, limits, resetTokens, resetUrl, clock } = context
  const { email, language, requestId: reference, network = request.address, isSolved = false } = request
  const account = await store.recovery.byEmail(email)
  if (!account || isReleased(account.email)) return undefined

  const isTrusted = isSolved || (await store.sessions.isTrustedNetwork(network, account.id))
  const { points, ...policy } = RATE_LIMITS['reset-mails']
  const reserved = isTrusted ? 0 : LIMITS.reset.reserved_mails_per_hour
  const counter = { policy: { ...policy, points: points - reserved }, key: email }
  const usedAtMs = clock.nowMs()
  await limits.consume(counter)
  const token = resetTokens.newToken()
  const hash = resetTokens.hash(token)
  const { minutes } = LIMITS.reset
  const notice: Notice = {
    accountId: account.id,
    to: account.email,
    about: account.needsCode ? 'claim' : 'reset',
    language,
    values: { minutes, link: buildResetLink(resetUrl, token) },
    reference,
    token: { hash, seconds: minutes * 60 },
    budget: { name: 'reset-mails', usedAtMs },
  }
  const mail = { request: due, message: composeMail(notice, context) }
  const isStored = await store.recovery.addToken(account, hash, mail).catch(async (error: unknown) => {
    await limits.giveBack(counter, usedAtMs)
    throw error
  })
  return isStored ? renderMail(notice) : undefined
}

/** Prepares the notice of a login without the second factor, one a day, unless another login has followed from the same address. */
async function prepareHalfLogin(
  { email: to, language, address, requestId: reference }: QueuedRequest,
  { accountId, createdAt, attempts }: DueMail,
  { store, limits }: Context,
): Promise<QueuedMessage | undefined> {
  if (accountId === null || (await store.sessions.hasBegun({ accountId, address, since: createdAt }))) return undefined
  if (attempts === 1) await limits.consume({ policy: RATE_LIMITS['half-login-notices'], key: `${accountId}` })
  return renderMail({ accountId, to, about: 'half_login', language, reference })
}

/** Prepares the message that verifies an address of an account, if it still has to be verified. */
async function prepareVerification(
  request: QueuedRequest,
  due: DueMail,
  context: Context,
): Promise<QueuedMessage | undefined> {
  const { email, language, address, requestId } = request
  if (due.accountId === null) return undefined
  const by = { client: { address, requestId }, language }
  const notice = await storeVerification({ accountId: due.accountId, email }, by, context, due)
  return notice && renderMail(notice)
}

const PREPARE = { reset: prepareReset, verification: prepareVerification, half_login: prepareHalfLogin }
