import { bodyCases, commonCases, unknownTokenCases, wrongTokenLimitCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { establishedPerson, resetBy, tokenFor } from '../../support/accounts/resets.ts'
import { PASSWORD } from '../../support/service/world.ts'

const DAY_MS = 86_400_000
const json = { token: 'anything' }
const common = commonCases('undoPasswordReset', () => ({ json }), 'resetTokens')
const body = bodyCases(json)

contract('undoPasswordReset', {
  200: {
    'undoes a reset by phone with the token of the e-mail': async (send, world, t) => {
      const person = await establishedPerson(world)
      await resetBy.phone(world, person)
      const token = await tokenFor(world, person.email)
      world.wait(7 * DAY_MS - 60_000)
      const received = await send({ json: { token } })
      for (const password of [PASSWORD, resetBy.password])
        t.equal((await world.send('login')({ json: { email: person.email, password } })).status, 401)
      const { prisma } = world.service.database
      const { subject } = await prisma.auditEvent.findFirstOrThrow({
        where: { accountId: person.id, event: 'password_reset_undone' },
      })
      t.match(subject, /^\+966\*\*\*\d{3}$/, 'the event names the number, masked')
      const undone = { accountId: person.id, type: 'profile.updated' }
      t.equal(await prisma.event.count({ where: undone }), 1, 'the profile has its number again')
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    ...unknownTokenCases(json, 'password_reset_undo_failed', 'undo_token_wrong'),
    'rejects a used token': async (send, world, t) => {
      const person = await establishedPerson(world)
      await resetBy.phone(world, person)
      const token = await tokenFor(world, person.email)
      t.equal((await send({ json: { token } })).status, 200)
      return send({ json: { token } })
    },
    'rejects a token that is seven days old': async (send, world) => {
      const person = await establishedPerson(world)
      await resetBy.phone(world, person)
      const token = await tokenFor(world, person.email)
      world.wait(7 * DAY_MS)
      return send({ json: { token } })
    },
  },
  429: wrongTokenLimitCases(json),
  500: common[500],
  503: common[503],
})
