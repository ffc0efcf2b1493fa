import type { Operation } from '../../contract/operation.ts'
import { profileVersion } from '../../domain/profiles/profile.ts'
import { serializeUser } from '../../serializers/user.ts'
import { changeProfile } from '../../services/profile/change-profile.ts'

export const updateProfile: Operation<'updateProfile'> = async (call, context) => {
  const current = await context.store.bearerAccounts.wholeProfile(call.bearer)

  const profile = await changeProfile(call, current, context)

  return call.reply(
    { user: serializeUser(profile, call.bearer, context.fileLinks) },
    { version: profileVersion(profile) },
  )
}
