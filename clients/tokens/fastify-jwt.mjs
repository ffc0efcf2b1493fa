import { createPublicKey } from 'node:crypto'
import fastifyJwt from '@fastify/jwt'
import fastify from 'fastify'
import { findKey, run } from './run.mjs'

await run(async (token, { issuer, audience }) => {
  const jwk = await findKey(token)
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const server = fastify()
  await server.register(fastifyJwt, {
    secret: { public: pem },
    verify: { algorithms: [jwk.alg], allowedIss: issuer, allowedAud: audience },
  })
  server.get('/', async (request) => request.jwtVerify())
  const response = await server.inject({ url: '/', headers: { authorization: `Bearer ${token}` } })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json()
})
