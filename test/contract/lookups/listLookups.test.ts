import { cacheCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

contract('listLookups', {
  ...commonCases('listLookups', () => ({}), 'lookups'),
  200: {
    'returns every small set and the enumerations': async (send, _world, t) => {
      const received = await send({ language: 'ar' })
      const data = received.body.data as Record<string, { value?: unknown; name: string }[]>
      t.same(
        data['types']?.map(({ value }) => value),
        [1, 2, 3, 4, 5],
      )
      t.same(
        data['identity_types']?.map(({ name }) => name),
        ['هوية وطنية', 'جواز سفر', 'هوية مقيم'],
      )
      for (const [set, items] of Object.entries(data)) t.ok(items.length > 1, set)
      return received
    },
    'returns the same items as the operation of a set': async (send, world, t) => {
      const received = await send()
      const { body } = await world.send('listDegrees')()
      t.same((received.body.data as Record<string, unknown>)['degrees'], (body.data as { items: unknown }).items)
      return received
    },
  },
  ...cacheCases(),
})
