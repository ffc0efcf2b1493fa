import { commonStories, tokenStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'

const common = commonStories('logout', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('logout', {
  200: {
    'the session, and no other': async (send, world, t) => {
      const person = await world.person()
      const [here, there] = [await person.logIn(), await person.logIn()]
      const received = await send({ token: here.token })
      t.equal((await world.send('checkToken')({ token: here.token })).headers['error-code'], 'token_revoked')
      t.equal((await world.send('checkToken')({ token: there.token })).status, 200)
      t.equal((await send({ token: here.token })).status, 401)
      return received
    },
  },
  400: common[400],
  ...tokenStories(),
  500: common[500],
  503: common[503],
})
