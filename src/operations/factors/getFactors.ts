import type { Operation } from '../../contract/operation.ts'
import { serializeFactors } from '../../serializers/second-factors.ts'

export const getFactors: Operation<'getFactors'> = async ({ bearer, reply }, { store }) =>
  reply(serializeFactors(await store.factors.read(bearer)))
