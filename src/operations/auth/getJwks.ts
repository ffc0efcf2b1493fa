import type { Operation } from '../../contract/operation.ts'

export const getJwks: Operation<'getJwks'> = async ({ reply }, { tokens }) => reply(tokens.jwks)
