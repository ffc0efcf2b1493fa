import { createRemoteJWKSet, jwtVerify } from 'jose'
import { run } from './run.mjs'

await run(async (token, { url, issuer, audience }) => {
  const keys = createRemoteJWKSet(new URL(url)) // once for the application
  const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt', algorithms: ['EdDSA', 'ES256'] })
  return payload
})
