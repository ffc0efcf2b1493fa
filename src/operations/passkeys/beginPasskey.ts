import type { Operation } from '../../contract/operation.ts'
import { consumeFactorChange } from '../../services/factors/enrollment.ts'
import { announceProof } from '../../services/factors/notify.ts'
import { requirePasskeys } from '../../services/factors/passkeys.ts'
import { proveChange } from '../../services/factors/prove-change.ts'

export const beginPasskey: Operation<'beginPasskey'> = async (call, context) => {
  const { bearer, reply } = call
  const { factors } = context.store
  const available = requirePasskeys(context)
  const { accountId, sessionId } = bearer
  await consumeFactorChange(call)
  const { email, passkeys, userHandle } = await factors.passkeyOwner(bearer)
  const given = await proveChange(call, context)
  announceProof(given.proof, await factors.prove(bearer, given), call, context)

  const byFactor = given.proof.method !== 'password'
  const owner = { email, passkeys, userHandle: userHandle ?? undefined, byFactor }
  return reply(available.creationOptions({ action: 'add', accountId, sessionId }, owner))
}
