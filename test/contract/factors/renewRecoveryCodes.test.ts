import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { proofCases } from '../../support/cases/proof-cases.ts'
import { BY_PASSWORD, protect, protectedPerson } from '../../support/accounts/second-factors.ts'

const common = commonCases(
  'renewRecoveryCodes',
  async (world) => ({ token: (await protectedPerson(world)).token, ...BY_PASSWORD }),
  'store',
)
const body = bodyCases(BY_PASSWORD.json)
const proof = proofCases()

contract('renewRecoveryCodes', {
  200: {
    'returns new codes, and the previous ones are no longer valid': async (send, world, t) => {
      const { token, person, recoveryCodes } = await protectedPerson(world)
      const received = await send({ token, ...BY_PASSWORD })
      const { recovery_codes: codes } = received.body.data as { recovery_codes: string[] }
      const logIn = async (code: string | undefined): Promise<number> =>
        (await world.send('login')({ json: { email: person.email, password: 'correct horse battery', code } })).status
      t.same([await logIn(recoveryCodes[0]), await logIn(codes[0]), await logIn(codes[0])], [401, 200, 401])
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  ...tokenCases(async (world, person) => {
    const token = await person.token().catch(() => '') // not of a suspended account
    person.token = () => Promise.resolve(token) // a further login would need a code
    await protect(world, person)
    return BY_PASSWORD
  }),
  403: {
    ...proof[403],
    'requires recent authentication': async (send, world) => {
      const { token } = await protectedPerson(world)
      world.wait(20 * 60_000)
      return send({ token, ...BY_PASSWORD })
    },
  },
  409: {
    'rejects an account without a second factor': async (send, world, t) => {
      const received = await send({ token: await (await world.person()).token(), ...BY_PASSWORD })
      t.equal(received.headers['error-code'], 'second_factor_missing')
      return received
    },
  },
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: proof[422],
  500: common[500],
  503: common[503],
})
