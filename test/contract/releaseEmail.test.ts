import { bodyStories, commonStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import { settled, tokenFor } from '../support/resets.ts'
import type { Person, World } from '../support/world.ts'

const json = { token: 'anything' }
const common = commonStories('releaseEmail', () => ({ json }), 'resetTokens')
const body = bodyStories(json)

async function tokenOf(world: World, { email }: Person): Promise<string> {
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  return tokenFor(world, email)
}

contract('releaseEmail', {
  200: {
    'an address that was never verified: its sessions go on, and its owner can register': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      const token = await person.token()
      const received = await send({ json: { token: await tokenOf(world, person) }, language: 'ar' })
      const { body } = await world.send('getProfile')({ token })
      t.match(body.data.user.email, /^account-\d+-[0-9a-f]{8}@released\.invalid$/)
      await settled(world)
      t.match(world.textsTo(person.phone)[0], /تمت إزالة بريدك/)
      const { prisma } = world.service.database
      t.equal(await prisma.account.count({ where: { email: person.email } }), 0)
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'email_released' } }), 1)
      return received
    },
    'an account without a verified number': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false, isPhoneVerified: false })
      const received = await send({ json: { token: await tokenOf(world, person) } })
      await settled(world)
      t.same(world.textsTo(person.phone), [])
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    'a token that is none': async (send, _world, t) => {
      const received = await send({ json })
      t.same(received.body.data.codes, { token: ['reset_token_wrong'] })
      return received
    },
    'a token of an address that is verified': async (send, world) => {
      const token = await tokenOf(world, await world.person())
      return send({ json: { token } })
    },
    'a token that was used': async (send, world, t) => {
      const token = await tokenOf(world, await world.person({ isEmailVerified: false }))
      t.equal((await send({ json: { token } })).status, 200)
      return send({ json: { token } })
    },
  },
  429: {
    'too many wrong tokens from one address': async (send) => {
      for (let batch = 0; batch < 30; batch++) await Promise.all(Array.from({ length: 20 }, () => send({ json })))
      return send({ json })
    },
  },
  500: common[500],
  503: common[503],
})
