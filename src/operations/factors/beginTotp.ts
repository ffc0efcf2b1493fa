import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { consumeFactorChange } from '../../services/factors/enrollment.ts'

export const beginTotp: Operation<'beginTotp'> = async (call, { store, totp }) => {
  const { bearer, reply } = call
  await consumeFactorChange(call)
  const created = await totp.newSecret(bearer.accountId)
  if (!created) throw new Failure('factors_unavailable')
  const { secret, sealed } = created
  const email = await store.factors.beginTotp(bearer, sealed)

  return reply({ uri: await totp.uri(secret, email), secret })
}
