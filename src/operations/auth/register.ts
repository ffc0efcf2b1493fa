import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Call, Data, Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import type { Claim } from '../../domain/idempotency.ts'
import { maskEmail } from '../../domain/text.ts'
import { rightFields } from '../../domain/profiles/profile.ts'
import { networkRequester } from '../../domain/requester.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { runOnce } from '../../services/idempotency/run-once.ts'
import { countGuess } from '../../services/password/verify-password.ts'
import { issueTokens } from '../../services/sessions/begin-session.ts'
import { checkIdentity } from '../../services/profile/check-identity.ts'
import { requireSolution } from '../../services/phone/code-requests.ts'
import { readPhone } from '../../contract/phone-fields.ts'
import { requirePhone } from '../../services/phone/read-phone.ts'
import { buildNames } from '../../services/profile/names.ts'
import { requestMail } from '../../services/notifications/mail.ts'

export const register: Operation<'register'> = (call, context) =>
  runOnce(call, context, {
    isAtomic: true,
    run: async (attempt) => call.reply(await openAccount(call, context, attempt?.claim)),
    countGuess(isWrong) {
      const { email = '' } = rightFields(call.body, call.fieldErrors)
      return countGuess({ email, isWrong }, call, context)
    },
    async replay({ sessionId }) {
      const session = sessionId === undefined ? undefined : await context.store.sessions.find(sessionId)
      if (sessionId === undefined || !session) throw new Failure('idempotency_session_ended')
      return call.reply(issueTokens({ ...session, sessionId }, context))
    },
  })

async function openAccount(
  call: Call<'register'>,
  context: Context,
  claim: Claim | undefined,
): Promise<Data<'register'>> {
  const { body, fieldErrors, finish, client, abandoned, rateLimiter } = call
  const { store, passwords } = context
  const fields = rightFields(body, fieldErrors)
  const phone = readPhone(fields, context)
  const { failures, verification } = await checkIdentity(fields, phone, undefined, call, context)
  const form = finish(failures)

  await rateLimiter.consume({ policy: RATE_LIMITS['register-hour'], key: client.network })
  if (!verification) await requireSolution(form.challenge_response, call, context)
  const { e164, callingCode } = requirePhone(phone)
  const email = form.email
  const registration = {
    account: {
      email,
      accountType: form.account_type,
      passwordHash: await passwords.hash(form.password, networkRequester(client.network, abandoned)),
      phone: { e164, code: callingCode, isVerified: verification !== undefined },
    },
    ...buildNames(form),
    verification,
    client,
    auditContext: toAuditContext(client, maskEmail(email)),
    mails: requestMail({ kind: 'verification', email }, call, context),
  }
  const opened = await store.registrations.add(registration, claim)

  return issueTokens({ ...opened, email, generation: 0 }, context)
}
