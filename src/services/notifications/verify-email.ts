import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import { isReleased } from '../../domain/accounts/recovery.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import type { MailAttempt, NewMail } from '../../domain/mail.ts'
import type { Language } from '../../messages/index.ts'
import { composeMail, type Notice } from './mail.ts'

const HOUR_SECONDS = 3600
const BUDGET = 'email-verifications'

type Request = Readonly<{ client: Pick<Client, 'address' | 'requestId'>; language: Language }>
type Begun = NonNullable<Awaited<ReturnType<Context['store']['emailVerifications']['begin']>>>

/**
 * Stores the message that verifies an address of an account, with a link and a code.
 *
 * @param whose the caller or an account, with the address; undefined means the current one
 * @param request the row of the outbox that the message replaces
 * @returns the message; undefined if there is nothing to verify
 * @throws Failure 401 `token_revoked`, 429 `rate_limited`
 */
export async function storeVerification(
  whose: (Bearer | { accountId: number }) & { email: string | undefined },
  { client, language }: Request,
  context: Context,
  request?: MailAttempt,
): Promise<Notice | undefined> {
  const { store, limits, emailTokens, emailCodes, clock } = context
  const token = emailTokens.newToken()
  const made = { newWindowId: emailCodes.newWindowId(), tokenHash: emailTokens.hash(token) }
  const consumed: { key: string; usedAtMs: number }[] = []
  let notice: Notice | undefined
  const toMail = async (begun: Begun): Promise<NewMail | undefined> => {
    if (isReleased(begun.email)) return undefined
    const usedAtMs = clock.nowMs()
    await limits.consume({ policy: RATE_LIMITS[BUDGET], key: begun.email })
    consumed.push({ key: begun.email, usedAtMs })
    const parts = { language, reference: client.requestId, token, tokenHash: made.tokenHash, usedAtMs }
    notice = verificationNotice(begun, parts, context)
    return composeMail(notice, context)
  }
  const auditContext = toAuditContext(client)
  try {
    const begun = await store.emailVerifications.begin(whose, made, { auditContext, toMail, request })
    return begun && notice // otherwise the notice is one of an attempt that was rolled back
  } catch (error) {
    for (const { key, usedAtMs } of consumed) await limits.giveBack({ policy: RATE_LIMITS[BUDGET], key }, usedAtMs)
    throw error
  }
}

type Parts = Pick<Notice, 'language' | 'reference'> & { token: string; tokenHash: Uint8Array; usedAtMs: number }

function verificationNotice(begun: Begun, parts: Parts, { emailCodes, emailUrl }: Context): Notice {
  const { language, reference, token, tokenHash: hash, usedAtMs } = parts
  const { accountId, email: to, isPending, countedAt } = begun
  const values = {
    code: emailCodes.codeFor(begun),
    minutes: LIMITS.email.code_minutes,
    link: buildEmailLink(emailUrl, token, 'confirm'),
    hours: LIMITS.email.link_hours,
  }
  return {
    accountId,
    to,
    about: isPending ? 'new_email' : 'verify',
    language,
    values,
    reference,
    token: { hash, seconds: LIMITS.email.link_hours * HOUR_SECONDS },
    budget: { name: BUDGET, usedAtMs },
    countedAt,
  }
}
