import { createPublicKey, verify } from 'node:crypto'
import { cacheCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

const common = commonCases('getJwks', () => ({}), 'tokens')

contract('getJwks', {
  200: {
    'returns the public keys that verify access tokens': async (send, world, t) => {
      const token = await (await world.person()).token()
      const [header = '', claims = '', signature = ''] = token.split('.')
      const received = await send()
      const { keys } = received.body as unknown as { keys: { kid: string }[] }
      const { kid, typ, alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as {
        kid: string
        typ: string
        alg: string
      }
      const key = createPublicKey({ key: keys.find((each) => each.kid === kid) as never, format: 'jwk' })
      t.ok(verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')))
      t.same({ typ, alg }, { typ: 'at+jwt', alg: 'EdDSA' })
      t.same(Object.keys(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object).sort(), [
        'aud',
        'exp',
        'iat',
        'iss',
        'jti',
        'sid',
        'sub',
      ])
      t.same(received.body.data, { keys })
      t.equal(received.headers['cache-control'], 'public, max-age=300')
      t.notMatch(JSON.stringify(received.body), /"d":/, 'no private key')
      return received
    },
  },
  ...cacheCases(),
  ...common,
})
