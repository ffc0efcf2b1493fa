import { contract } from '../../support/cases/contract.ts'
import { lookupCases } from '../../support/cases/lookup-cases.ts'

const cases = lookupCases('listCities', 100)

contract('listCities', {
  ...cases,
  200: {
    ...cases[200],
    'filters by region and lists Other last': async (send, _world, t) => {
      const received = await send({ query: { region_id: 1 } })
      const { items } = received.body.data as { items: { region_id: number; name_en: string }[] }
      t.same([...new Set(items.map(({ region_id: id }) => id))], [1])
      t.equal(items.at(-1)?.name_en, 'Other', 'the item for all other cities is last')
      return received
    },
    'filters by country': async (send, _world, t) => {
      const saudi = await send({ query: { country_id: 682 } })
      const regions = new Set(
        (saudi.body.data as { items: { region_id: number }[] }).items.map(({ region_id: id }) => id),
      )
      t.equal(regions.size, 13)
      t.ok([...regions].every((id) => id <= 13))
      return saudi
    },
    'returns no items for a region of another country': async (send, _world, t) => {
      const received = await send({ query: { region_id: 1, country_id: 818 } })
      t.same(received.body.data, { items: [], next_cursor: null })
      return received
    },
    'searches by name, ignoring diacritics and letter variants': async (send, _world, t) => {
      const received = await send({ query: { q: 'مكّه المكرمه' } })
      t.ok(
        (received.body.data as { items: { name_en: string }[] }).items.some(({ name_en: name }) =>
          name.includes('Makkah'),
        ),
      )
      return received
    },
    'returns changed data': async (send, world, t) => {
      const { prisma } = world.service.database
      const { lookups } = world.service.app.context
      const before = await send({ query: { region_id: 1, q: 'riyadh' } })
      await prisma.city.update({ where: { id: 1 }, data: { active: false } })
      await lookups.refresh()
      const after = await send({ query: { region_id: 1, q: 'riyadh' } })
      await prisma.city.update({ where: { id: 1 }, data: { active: true } })
      await lookups.refresh()
      const isListed = ({ body }: typeof before): boolean =>
        (body.data as { items: { id: number }[] }).items.some(({ id }) => id === 1)
      t.same([isListed(before), isListed(after)], [true, false])
      return after
    },
  },
  422: {
    ...cases[422],
    'rejects invalid IDs': async (send, _world, t) => {
      const received = await send({ query: { region_id: 'x', country_id: 0 } })
      t.same(received.body.data.codes, { region_id: ['wrong_type'], country_id: ['too_small'] })
      return received
    },
    'rejects numbers in programming notation': async (send, _world, t) => {
      for (const id of ['0x2AA', '6.82e2', '+682', '1.0', '0b1010101010']) {
        const { body } = await send({ query: { country_id: id } })
        t.same(body.data.codes, { country_id: ['wrong_type'] }, id)
      }
      return send({ query: { region_id: '1e0' } })
    },
    'rejects an unknown parameter': async (send, _world, t) => {
      const received = await send({ query: { country: 682 } })
      t.same(received.body.data.codes, { country: ['unknown_field'] })
      return received
    },
  },
})
