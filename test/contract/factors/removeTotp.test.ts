import { eventsOf } from '../../support/cases/administration.ts'
import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { proofCases } from '../../support/cases/proof-cases.ts'
import { settled } from '../../support/accounts/resets.ts'
import { BY_PASSWORD, protectedPerson } from '../../support/accounts/second-factors.ts'

const common = commonCases(
  'removeTotp',
  async (world) => ({ token: await (await world.person()).token(), ...BY_PASSWORD }),
  'store',
)
const body = bodyCases(BY_PASSWORD.json)
const proof = proofCases()

contract('removeTotp', {
  200: {
    'removes the app and the recovery codes, so that the password alone is enough': async (send, world, t) => {
      const { token, person, recoveryCodes } = await protectedPerson(world)
      const received = await send({ token, ...BY_PASSWORD })
      t.same((await world.send('getFactors')({ token })).body.data, {
        passkeys: [],
        totp_added_at: null,
        recovery_codes_left: 0,
        reset_at: null,
      })
      t.equal((await person.logIn()).token.length > 0, true)
      const json = { email: person.email, password: 'correct horse battery', code: recoveryCodes[0] }
      t.equal((await world.send('login')({ json })).status, 200, 'a code that is not needed is ignored')
      const events = (await eventsOf(world, person.id)).map(({ event }) => event)
      t.same(events, ['login', 'totp_added', 'totp_removed', 'login', 'login'])
      return received
    },
    'notifies the owner by SMS': async (send, world, t) => {
      const { token, person } = await protectedPerson(world)
      await settled(world)
      const before = world.textsTo(person.phone).length
      const received = await send({ token, ...BY_PASSWORD })
      await settled(world)
      t.equal(world.textsTo(person.phone).length, before + 1)
      return received
    },
    'succeeds without an app, and records nothing': async (send, world, t) => {
      const person = await world.person()
      const received = await send({ token: await person.token(), ...BY_PASSWORD })
      t.match(await eventsOf(world, person.id), [{ event: 'login' }])
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  ...tokenCases(() => BY_PASSWORD),
  403: {
    ...proof[403],
    'requires recent authentication': async (send, world) => {
      const { token } = await protectedPerson(world)
      world.wait(20 * 60_000)
      return send({ token, ...BY_PASSWORD })
    },
  },
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: proof[422],
  500: common[500],
  503: common[503],
})
