import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { buildEmailLink } from '../../domain/emails/email-link.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import type { Language } from '../../messages/index.ts'
import { sendMail, type Notice } from './mail.ts'

export type RequestInfo = Readonly<{ client: Client; language: Language }>

/**
 * Builds the message that verifies the pending address of an account, or its current one, with a link and a code.
 *
 * @param whose the bearer of a token, or an account, which is verified only if `email` is the address in question
 * @returns undefined if there is nothing to verify
 * @throws Failure 401 `token_revoked`, 429 `rate_limited`
 */
export async function verificationMail(
  whose: Bearer | { accountId: number; email: string },
  { client, language }: RequestInfo,
  { store, limits, emailTokens, emailCodes, emailUrl }: Context,
): Promise<Notice | undefined> {
  const token = emailTokens.newToken()
  const made = { newWindowId: emailCodes.newWindowId(), tokenHash: emailTokens.hash(token) }
  const begun = await store.emailVerifications.begin(whose, made, toAuditContext(client))
  if (!begun) return undefined
  await limits.consume({ policy: RATE_LIMITS['email-verifications'], key: begun.email })
  const values = {
    code: emailCodes.codeFor(begun),
    minutes: LIMITS.email.code_minutes,
    link: buildEmailLink(emailUrl, token, 'confirm'),
    hours: LIMITS.email.link_hours,
  }
  const about = begun.isPending ? 'new_email' : 'verify'
  return { to: begun.email, about, language, values, reference: client.requestId }
}

/** Sends that message in the background, if a mail server is configured. The operation succeeds even if this fails. */
export function verifyInBackground(
  whose: { accountId: number; email: string },
  request: RequestInfo,
  context: Context,
): void {
  const { background, mail, log } = context
  if (!mail.isOffered) return
  try {
    background.enqueue('a verification e-mail', async () => {
      const message = await verificationMail(whose, request, context)
      if (message) await sendMail(message, context)
    })
  } catch (error) {
    log.warn({ requestId: request.client.requestId, err: error }, 'verification e-mail could not be sent')
  }
}
