import { LIMITS } from '../../generated/limits.ts'
import type { Operation } from '../contract.ts'
import { normaliseEmail } from '../domain/account.ts'
import type { Policy } from '../domain/limit.ts'
import { maskEmail } from '../domain/mask.ts'
import { rightFields } from '../domain/profile-form.ts'
import { networkRequester } from '../domain/requester.ts'
import { traceOf } from '../domain/trace.ts'
import { tokensOf } from './shared/begin-session.ts'
import { checkIdentity } from './shared/check-identity.ts'
import { namesOf } from './shared/names.ts'
import { verifyInBackground } from './shared/verify-email.ts'

const PER_HOUR: Policy = { name: 'register-hour', points: LIMITS.register.per_hour, seconds: 3600 }

export const register: Operation<'register'> = async (call, context) => {
  const { draft, wrong, complete, client, abandoned, language, slate, reply } = call
  const { store, passwords, phoneNumbers, limits } = context
  const { failures, window } = await checkIdentity(rightFields(draft, wrong), undefined, call, context)
  const form = complete(failures)

  await limits.take({ policy: PER_HOUR, key: client.network }, slate)
  const { e164, callingCode } = phoneNumbers.read(form.phone_code, form.phone)
  const email = normaliseEmail(form.email)
  const opened = await store.registrations.add({
    account: {
      email,
      accountType: form.account_type,
      passwordHash: await passwords.hash(form.password, networkRequester(client.network, abandoned)),
      phone: { e164, code: callingCode, isVerified: window !== undefined },
    },
    ...namesOf(form),
    window,
    client,
    trace: traceOf(client, maskEmail(email)),
  })

  const { accountId } = opened
  verifyInBackground({ accountId, email }, { client, language }, context)

  return reply(tokensOf({ ...opened, email, generation: 0 }, context))
}
