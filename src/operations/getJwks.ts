import type { Operation } from '../contract.ts'

export const getJwks: Operation<'getJwks'> = async ({ reply }, { tokens }) => {
  const keys = tokens.publicKeys
  return reply('keys_read', { keys }, { keys })
}
