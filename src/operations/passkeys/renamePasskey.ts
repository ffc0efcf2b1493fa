import type { Operation } from '../../contract/operation.ts'
import { serializePasskey } from '../../serializers/second-factors.ts'

export const renamePasskey: Operation<'renamePasskey'> = async ({ path, body, bearer, reply }, { store }) => {
  const passkey = { id: path.passkey_id, name: body.name }

  return reply(serializePasskey(await store.factors.renamePasskey(bearer, passkey)))
}
