import { createPublicKey } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { findKey, run } from './run.mjs'

await run(async (token, { issuer, audience }) => {
  const jwk = await findKey(token)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return jwt.verify(token, key, { issuer, audience, algorithms: [jwk.alg] })
})
