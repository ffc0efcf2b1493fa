import { createPublicKey } from 'node:crypto'
import { createVerifier } from 'fast-jwt'
import { findKey, run } from './run.mjs'

await run(async (token, { issuer, audience }) => {
  const jwk = await findKey(token)
  const key = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const verify = createVerifier({ key, algorithms: [jwk.alg], allowedIss: issuer, allowedAud: audience })
  return verify(token)
})
