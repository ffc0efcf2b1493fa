import { bodyCases, commonCases, unknownTokenCases, wrongTokenLimitCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { loginError, pendingReset, RESET_MS, storedReset } from '../../support/accounts/factor-resets.ts'

const json = { token: 'anything' }
const common = commonCases('cancelFactorReset', () => ({ json }), 'resetTokens')
const body = bodyCases(json)

contract('cancelFactorReset', {
  200: {
    'cancels a pending reset until the last second': async (send, world, t) => {
      const { person, cancelToken } = await pendingReset(world)
      world.wait(RESET_MS - 60_000)
      const received = await send({ json: { token: cancelToken } })
      t.equal(await storedReset(world, person), undefined)
      world.wait(2 * 60_000)
      t.equal(await loginError(world, person), 'mfa_required')
      const { prisma } = world.service.database
      const where = { accountId: person.id, event: 'factor_reset_cancelled' }
      t.match(await prisma.auditEvent.findMany({ where }), [{ address: world.address }])
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    ...unknownTokenCases(json, 'factor_reset_cancellation_failed', 'token_wrong'),
    'rejects a token that was used': async (send, world) => {
      const { cancelToken } = await pendingReset(world)
      await send({ json: { token: cancelToken } })
      return send({ json: { token: cancelToken } })
    },
    'rejects a token after the reset has taken effect': async (send, world, t) => {
      const { person, cancelToken } = await pendingReset(world)
      world.wait(RESET_MS)
      const received = await send({ json: { token: cancelToken } })
      t.equal(await loginError(world, person), undefined)
      return received
    },
  },
  429: wrongTokenLimitCases(json),
  500: common[500],
  503: common[503],
})
