import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { invalidData } from '../../domain/failure.ts'
import { announceReset, composeResetMails } from '../../services/factors/reset-notices.ts'
import { refuseToken } from '../../services/refuse-token.ts'
import { confirmCode } from '../../services/phone/confirm-code.ts'

export const confirmFactorReset: Operation<'confirmFactorReset'> = async (call, context) => {
  const { body, client, rateLimiter, reply } = call
  const { store, resetTokens } = context
  const refuse = (): Promise<never> => refuseToken('factor_reset_failed', { token: ['token_wrong'] }, call, context)
  const tokenHash = resetTokens.hash(body.token)
  const owner = (await store.factors.resettableByToken(tokenHash)) ?? (await refuse())
  const { otp } = body
  if (otp === undefined && owner.byPhone) throw invalidData({ otp: ['required'] })
  const entered = { phone: owner.phone, purpose: 'reset', use: 'factor_reset', client, rateLimiter } as const
  const verification = otp === undefined ? undefined : await confirmCode({ ...entered, otp }, context)
  if (otp !== undefined && !verification) throw invalidData({ otp: ['otp_wrong'] }) // the token stays valid

  const token = resetTokens.newToken()
  const cancel = { token, hash: resetTokens.hash(token) }
  const confirmed = await store.factors.confirmReset(tokenHash, {
    verification,
    cancelHash: cancel.hash,
    auditContext: toAuditContext(client),
    toMails: (of, at) => composeResetMails(of, { ...cancel, resetAt: at }, call, context),
  })
  const { owner: notified, resetAt } = confirmed ?? (await refuse()) // another request was faster
  announceReset(notified, resetAt, call, context)

  return reply({ reset_at: resetAt.toISOString() })
}
