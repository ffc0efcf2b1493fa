import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { normaliseEmail } from '../../domain/accounts/account.ts'
import { maskEmail } from '../../domain/mask.ts'
import { rightFields } from '../../domain/profiles/profile-form.ts'
import { networkRequester } from '../../domain/limits/requester.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { issueTokens } from '../../services/sessions/begin-session.ts'
import { checkIdentity } from '../../services/profile/check-identity.ts'
import { readPhone, requirePhone } from '../../services/phone/read-phone.ts'
import { buildNames } from '../../services/profile/names.ts'
import { deliverSoon } from '../../services/notifications/mail.ts'
import { requestVerification } from '../../services/notifications/verify-email.ts'

export const register: Operation<'register'> = async (call, context) => {
  const { body, fieldErrors, finish, client, abandoned, language, rateLimiter, reply } = call
  const { store, passwords } = context
  const fields = rightFields(body, fieldErrors)
  const phone = readPhone(fields, context)
  const { failures, window } = await checkIdentity(fields, phone, undefined, call, context)
  const form = finish(failures)

  await rateLimiter.consume({ policy: RATE_LIMITS['register-hour'], key: client.network })
  const { e164, callingCode } = requirePhone(phone)
  const email = normaliseEmail(form.email)
  const opened = await store.registrations.add({
    account: {
      email,
      accountType: form.account_type,
      passwordHash: await passwords.hash(form.password, networkRequester(client.network, abandoned)),
      phone: { e164, code: callingCode, isVerified: window !== undefined },
    },
    ...buildNames(form),
    window,
    client,
    auditContext: toAuditContext(client, maskEmail(email)),
    mails: requestVerification({ email }, { client, language }, context),
  })
  deliverSoon(context)

  return reply(issueTokens({ ...opened, email, generation: 0 }, context))
}
