import type { Operation } from '../../contract/operation.ts'
import { profileVersion } from '../../domain/profiles/profile.ts'
import { serializeUser } from '../../serializers/user.ts'

export const getProfile: Operation<'getProfile'> = async ({ bearer, reply }, { store, fileLinks }) => {
  const profile = await store.bearerAccounts.profile(bearer)

  return reply({ user: serializeUser(profile, bearer, fileLinks) }, { version: profileVersion(profile) })
}
