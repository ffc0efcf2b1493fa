import { bodyCases, commonCases, wrongTokenLimitCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { settled, tokenFor } from '../../support/accounts/resets.ts'
import { PASSWORD, type Person, type World } from '../../support/service/world.ts'

const json = { token: 'anything' }
const common = commonCases('releaseEmail', () => ({ json }), 'resetTokens')
const body = bodyCases(json)

async function requestToken(world: World, { email }: Person): Promise<string> {
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  return tokenFor(world, email)
}

contract('releaseEmail', {
  200: {
    'removes an unverified address, ends the sessions and tells the user the new one': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      const token = await person.token()
      const received = await send({ json: { token: await requestToken(world, person) }, language: 'ar' })
      t.equal((await world.send('getProfile')({ token })).status, 401)
      const { prisma } = world.service.database
      const { email } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
      t.match(email, /^account-\d+-[0-9a-f]{8}@released\.invalid$/)
      await settled(world)
      t.match(world.textsTo(person.phone)[0], `سجّل الدخول بالبريد ${email}`)
      t.equal((await world.send('login')({ json: { email, password: PASSWORD } })).status, 200)
      t.equal(await prisma.account.count({ where: { email: person.email } }), 0)
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'email_released' } }), 1)
      return received
    },
    'sends no SMS to an account without a verified number': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false, isPhoneVerified: false })
      const received = await send({ json: { token: await requestToken(world, person) } })
      await settled(world)
      t.same(world.textsTo(person.phone), [])
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    'rejects an unknown token': async (send, _world, t) => {
      const received = await send({ json })
      t.same(received.body.data.codes, { token: ['reset_token_wrong'] })
      return received
    },
    'rejects a token of a verified address': async (send, world) => {
      const token = await requestToken(world, await world.person())
      return send({ json: { token } })
    },
    'rejects a used token': async (send, world, t) => {
      const token = await requestToken(world, await world.person({ isEmailVerified: false }))
      t.equal((await send({ json: { token } })).status, 200)
      return send({ json: { token } })
    },
  },
  429: wrongTokenLimitCases(json),
  500: common[500],
  503: common[503],
})
