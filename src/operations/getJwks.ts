import type { Operation } from '../contract.ts'

export const getJwks: Operation<'getJwks'> = async ({ reply }, { tokens }) => reply(tokens.jwks)
