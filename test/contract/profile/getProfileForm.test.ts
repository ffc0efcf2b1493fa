import { Ajv2020 } from 'ajv/dist/2020.js'
import { cacheCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

const query = { account_type: 'lawyer' }
const cached = cacheCases(query)

type Form = { properties: Record<string, { title: string; 'x-file'?: { if?: { values: number[] } } }> }

contract('getProfileForm', {
  ...commonCases('getProfileForm', () => ({ query }), 'lookups'),
  200: {
    'returns a JSON Schema with labels in the language of the request': async (send, _world, t) => {
      const arabic = await send({ query, language: 'ar' })
      const english = await send({ query, language: 'en' })
      const [ar, en] = [arabic, english].map(({ body }) => body.data as unknown as Form)
      t.equal(ar?.properties['region_id']?.title, 'المنطقة')
      t.equal(en?.properties['region_id']?.title, 'Region')
      t.same(Object.keys(ar?.properties ?? {}), Object.keys(en?.properties ?? {}))
      t.ok(new Ajv2020({ strict: false, formats: { email: true, password: true, binary: true } }).compile(en as object))
      t.match(arabic.headers, { 'cache-control': 'public, max-age=300', vary: /Accept-Language/ })
      return arabic
    },
    'returns the fields of the account type': async (send, _world, t) => {
      const client = await send({ query: { account_type: 'client' } })
      const { properties } = client.body.data as unknown as Form
      t.ok(properties['name'])
      t.notOk(properties['national_id'])
      return client
    },
    'names the degrees that need a certificate': async (send, world, t) => {
      const { prisma } = world.service.database
      const { lookups } = world.service.app.context
      const degrees = async (): Promise<number[]> => {
        const { body } = await send({ query })
        return (body.data as unknown as Form).properties['degree_certificate']?.['x-file']?.if?.values ?? []
      }
      const before = await degrees()
      t.ok(before.includes(1))
      await prisma.degree.update({ where: { id: 1 }, data: { needCertificate: false } })
      await lookups.refresh()
      t.same(
        await degrees(),
        before.filter((id) => id !== 1),
      )
      await prisma.degree.update({ where: { id: 1 }, data: { needCertificate: true } })
      await lookups.refresh()
      return send({ query })
    },
  },
  422: {
    'requires an account type': async (send, _world, t) => {
      const received = await send()
      t.same(received.body.data.codes, { account_type: ['required'] })
      return received
    },
    'rejects unknown account types and parameters': async (send, _world, t) => {
      const received = await send({ query: { account_type: 'judge', language: 'ar' } })
      t.same(received.body.data.codes, { account_type: ['not_allowed'], language: ['unknown_field'] })
      return received
    },
  },
  ...cached,
})
