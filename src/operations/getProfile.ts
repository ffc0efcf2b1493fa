import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { userOf } from './shared/user.ts'

export const getProfile: Operation<'getProfile'> = async ({ bearer, reply }, { store, fileLinks }) => {
  const profile = await store.bearers.profile(bearer)
  if (!profile) throw new Failure('token_revoked')

  return reply({ user: userOf(profile, fileLinks) })
}
