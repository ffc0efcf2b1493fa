import { commonCases, staleSessionCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

const common = commonCases(
  'revokeOtherSessions',
  async (world) => ({ token: await (await world.person()).token() }),
  'store',
)

contract('revokeOtherSessions', {
  200: {
    'ends all sessions except the current one': async (send, world, t) => {
      const [person, stranger] = [await world.person(), await world.person()]
      const others = [await person.logIn(), await person.logIn()]
      const elsewhere = await stranger.token()
      const { token } = await person.logIn()
      const received = await send({ token })
      t.same(received.body.data, { ended: 2 })
      for (const { token: other, refresh } of others) {
        t.equal((await world.send('getProfile')({ token: other })).headers['error-code'], 'token_revoked')
        t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 401)
      }
      t.equal((await world.send('getProfile')({ token: elsewhere })).status, 200)
      t.same((await send({ token })).body.data, { ended: 0 })
      return received
    },
  },
  400: common[400],
  ...tokenCases(),
  ...staleSessionCases(),
  500: common[500],
  503: common[503],
})
