import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import type { Bearer } from '../../domain/account.ts'
import { emailLink } from '../../domain/email-link.ts'
import type { Policy } from '../../domain/limit.ts'
import { traceOf } from '../../domain/trace.ts'
import type { Language } from '../../messages/index.ts'
import { sendMail, type Notice } from './mail.ts'

/** However many accounts name an address, its owner is not flooded. */
const PER_ADDRESS: Policy = {
  name: 'email-verifications',
  points: LIMITS.email.sends_per_day,
  seconds: 86_400,
  failsClosed: true,
}

export type Asking = Readonly<{ client: Client; language: Language }>

/**
 * Makes the message that verifies the pending address of an account, or else its address, with a link and a code.
 *
 * @param whose the account behind a token, or an account that is verified only if `email` is that address
 * @returns undefined if there is nothing to verify
 * @throws Failure 401 `token_revoked`, 429 `rate_limited`
 */
export async function verificationMail(
  whose: Bearer | { accountId: number; email: string },
  { client, language }: Asking,
  { store, limits, emailTokens, emailCodes, emailUrl }: Context,
): Promise<Notice | undefined> {
  const token = emailTokens.newToken()
  const made = { newWindowId: emailCodes.newWindowId(), tokenHash: emailTokens.hashOf(token) }
  const begun = await store.emailVerifications.begin(whose, made, traceOf(client))
  if (!begun) return undefined
  await limits.take({ policy: PER_ADDRESS, key: begun.email }, [])
  const values = {
    code: emailCodes.codeFor(begun),
    minutes: LIMITS.email.code_minutes,
    link: emailLink(emailUrl, token, 'confirm'),
    hours: LIMITS.email.link_hours,
  }
  const about = begun.isPending ? 'new_email' : 'verify'
  return { to: begun.email, about, language, values, reference: client.requestId }
}

/** Sends that message, where there is a mail server. The request does not wait for it, and does not fail with it. */
export function verifyInBackground(
  whose: { accountId: number; email: string },
  asking: Asking,
  context: Context,
): void {
  const { background, mail, log } = context
  if (!mail.isOffered) return
  try {
    background.begin('a verification e-mail', async () => {
      const message = await verificationMail(whose, asking, context)
      if (message) await sendMail(message, context)
    })
  } catch (error) {
    log.warn({ requestId: asking.client.requestId, err: error }, 'a verification e-mail was not sent')
  }
}
