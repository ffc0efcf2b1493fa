import { LIMITS } from '../../generated/limits.ts'
import type { Operation } from '../contract.ts'
import { Failure, invalidData, type FieldFailures } from '../domain/failure.ts'
import type { Policy } from '../domain/limit.ts'
import { hashablePassword } from '../domain/password.ts'
import { traceOf } from '../domain/trace.ts'
import { newPasswordFaults } from './shared/check-identity.ts'
import { notify } from './shared/mail.ts'

const FAILURES: Policy = {
  name: 'change-password',
  points: LIMITS.login.failures_per_account,
  seconds: LIMITS.login.account_minutes * 60,
}

const REFUSALS = { rate_limited: 'password_change_limited' } as const

export const changePassword: Operation<'changePassword'> = async (call, context) => {
  const { body, bearer, client, language, slate, reply } = call
  const { store, passwords, limits } = context
  const { accountId } = bearer
  const trace = traceOf(client)
  const account = await store.accounts.credentialsOf(bearer)
  if (!account) throw new Failure('token_revoked')

  const faults = await newPasswordFaults(body.new_password, account.email, context)
  const wrong: FieldFailures = faults.length > 0 ? { new_password: faults } : {}
  const matches = await limits
    .countFailures([{ policy: FAILURES, key: String(accountId) }], slate, () =>
      passwords.matches(body.current_password, account.passwordHash),
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, String(accountId), trace))
  if (!matches) {
    await store.audit.record({ event: 'password_change_failed', accountId, ...trace })
    throw invalidData({ current_password: ['password_wrong'], ...wrong })
  }
  if (faults.length > 0) throw invalidData(wrong)

  const passwordHash = await passwords.hash(hashablePassword(body.new_password) ?? '') // one that is too long was refused
  const isChanged = await store.passwords.change(bearer, { from: account.passwordHash, to: passwordHash }, trace)
  if (!isChanged) throw invalidData({ current_password: ['password_wrong'] }) // somebody else was faster

  notify({ to: account.email, about: 'password', language, reference: client.requestId }, context)

  return reply(null)
}
