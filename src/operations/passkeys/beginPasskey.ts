import type { Operation } from '../../contract/operation.ts'
import { consumeFactorChange } from '../../services/factors/enrollment.ts'
import { requirePasskeys } from '../../services/factors/passkeys.ts'

export const beginPasskey: Operation<'beginPasskey'> = async (call, context) => {
  const { bearer, reply } = call
  const available = requirePasskeys(context)
  const { accountId, sessionId } = bearer
  await consumeFactorChange(call)
  const { email, passkeys, userHandle } = await context.store.factors.passkeyOwner(bearer)
  const owner = { email, passkeys, userHandle: userHandle ?? undefined }

  return reply(available.creationOptions({ action: 'add', accountId, sessionId }, owner))
}
