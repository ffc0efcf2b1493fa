import jwt from 'jsonwebtoken'
import jwksRsa from 'jwks-rsa'
import { run } from './run.mjs'

await run(async (token, { url, issuer, audience }) => {
  const client = jwksRsa({ jwksUri: url }) // once for the application
  const key = await client.getSigningKey(jwt.decode(token, { complete: true }).header.kid)
  return jwt.verify(token, key.getPublicKey(), { issuer, audience, algorithms: [key.alg] })
})
