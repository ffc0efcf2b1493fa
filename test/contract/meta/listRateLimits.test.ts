import { RATE_LIMIT_LISTS, RATE_LIMITS } from '../../../generated/rate-limits.ts'
import { cacheCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

type RateLimit = { name: string; description: string; limit: number; window_seconds: number; operations: string[] }

const common = commonCases('listRateLimits', () => ({}), 'log')

contract('listRateLimits', {
  400: common[400],
  200: {
    'returns the policies that the service counts by': async (send, _world, t) => {
      const received = await send()
      const items = received.body.data.items as RateLimit[]
      for (const { name, points, seconds } of Object.values(RATE_LIMITS)) {
        const item = items.find((item) => item.name === name)
        if (item) t.match(item, { limit: points, window_seconds: seconds })
        else
          t.match(
            name,
            /^(reset-mails|half-login-notices|sms-notices-(account|number))$/,
            'these never reject a request',
          )
      }
      return received
    },
    'describes them in the language of the request': async (send, _world, t) => {
      const [arabic, english] = [await send({ language: 'ar' }), await send({ language: 'en' })].map(
        ({ body }) => body.data.items as RateLimit[],
      )
      t.equal(arabic?.length, english?.length)
      t.ok(arabic?.every(({ description }) => /\p{Script=Arabic}/u.test(description)))
      t.notOk(english?.some(({ description }) => /\p{Script=Arabic}/u.test(description)))
      return send({ language: 'ar' })
    },
    'lists every operation with an access token for rejected tokens': async (send, _world, t) => {
      const received = await send()
      const items = received.body.data.items as RateLimit[]
      const { operations = [] } = items.find(({ name }) => name === 'refused-tokens') ?? {}
      t.ok(['getProfile', 'adminListUsers', 'refreshToken'].every((id) => operations.includes(id)))
      t.notOk(operations.includes('login'))
      return received
    },
  },
  ...cacheCases(),
  500: {
    'hides the details of an internal error and logs them': async (send, world, t) => {
      const { en } = RATE_LIMIT_LISTS
      const fail = (): never => {
        throw new TypeError('planted')
      }
      Object.defineProperty(RATE_LIMIT_LISTS, 'en', { get: fail, configurable: true })
      try {
        const received = await send()
        t.notMatch(JSON.stringify(received.body), /planted/)
        t.match(world.service.log.join(''), /listRateLimits.*planted/)
        return received
      } finally {
        Object.defineProperty(RATE_LIMIT_LISTS, 'en', { value: en, enumerable: true })
      }
    },
  },
  503: common[503],
})
