import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

const common = commonCases('logout', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('logout', {
  200: {
    'ends only the current session': async (send, world, t) => {
      const person = await world.person()
      const [current, other] = [await person.logIn(), await person.logIn()]
      const received = await send({ token: current.token })
      t.equal((await world.send('checkToken')({ token: current.token })).headers['error-code'], 'token_revoked')
      t.equal((await world.send('checkToken')({ token: other.token })).status, 200)
      t.equal((await send({ token: current.token })).status, 401)
      return received
    },
  },
  400: common[400],
  ...tokenCases(),
  500: common[500],
  503: common[503],
})
