import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { consumeFactorChange } from '../../services/factors/enrollment.ts'
import { announceProof } from '../../services/factors/notify.ts'
import { proveChange } from '../../services/factors/prove-change.ts'

export const beginTotp: Operation<'beginTotp'> = async (call, context) => {
  const { bearer, reply } = call
  const { store, totp } = context
  await consumeFactorChange(call)
  const given = await proveChange(call, context)
  const created = await totp.newSecret(bearer.accountId)
  if (!created) throw new Failure('factors_unavailable')
  const { secret, sealed } = created
  const owner = await store.factors.beginTotp(bearer, sealed, given)
  announceProof(given.proof, owner, call, context)

  return reply({ uri: await totp.uri(secret, owner.email), secret })
}
