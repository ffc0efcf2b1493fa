// The rows and keys that administrators search accounts by.
import fc from 'fast-check'
import t from 'tap'
import { newLawyer } from '../support/cases/administration.ts'
import { openWorld, sharedService, type World } from '../support/service/world.ts'
import { searchKeys } from '../../src/store/admin/search-keys.ts'

const NO_FILTERS = { accountType: undefined, status: undefined, reviewStatus: undefined }
const BLOCK_KEY = 1n << 33n

void t.test('derives the same keys as the database', async (t) => {
  const { database } = await sharedService()
  const text = fc.string({ unit: fc.constantFrom(...Array.from('ab@.9محمدﻻ€😀\u0800')), minLength: 1, maxLength: 40 })
  const names = fc.sample(text, 300)
  const { rows } = await database.pool.query<{ keys: string[] }>(
    `SELECT search_keys(5000, '', name, '', 'lawyer', 'active', 'approved')::text[] AS keys
     FROM unnest($1::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at`,
    [names],
  )
  const values = { accountType: 'lawyer', status: 'active', reviewStatus: 'approved' } as const
  for (const [at, name] of names.entries()) {
    const stored = new Set(rows[at]?.keys.map((key) => String(BigInt(key) - BLOCK_KEY)))
    const missing = searchKeys({ ...values, text: name }).filter((key) => !stored.has(key))
    t.same(missing, [], name)
  }
})

void t.test('looks up a key of its own for short texts, and few keys for long ones', (t) => {
  t.same(searchKeys(NO_FILTERS), ['0'])
  t.same(searchKeys({ ...NO_FILTERS, text: 'ab' }), ['0'])
  t.equal(searchKeys({ ...NO_FILTERS, text: 'abcd' }).length, 2)
  t.equal(searchKeys({ ...NO_FILTERS, text: Array.from({ length: 100 }, (_, at) => at).join() }).length, 12)
  t.end()
})

type Row = { name: string; email: string; phone: string; account_type: string; status: string; review_status: string }

async function rowOf({ service }: World, id: number): Promise<Row | undefined> {
  const { rows } = await service.database.pool.query<Row>(
    'SELECT name, email, phone, account_type, status, review_status FROM account_search WHERE account_id = $1',
    [id],
  )
  return rows[0]
}

void t.test('follows every change of an account', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const { id, email, phone } = await newLawyer(world)
  const e164 = `+966${phone.slice(1)}`
  t.match(await rowOf(world, id), {
    email,
    phone: e164,
    account_type: 'lawyer',
    status: 'active',
    review_status: 'pending',
  })

  await prisma.profile.update({ where: { accountId: id }, data: { name: 'أحمد' } })
  t.match(await rowOf(world, id), { name: 'احمد' })
  await prisma.account.update({ where: { id }, data: { email: 'new@example.org', phone: '+201', status: 'suspended' } })
  t.match(await rowOf(world, id), { email: 'new@example.org', phone: '+201', status: 'suspended' })
  await prisma.lawyerProfile.update({ where: { accountId: id }, data: { reviewStatus: 'approved' } })
  t.match(await rowOf(world, id), { review_status: 'approved' })
  await prisma.account.update({ where: { id }, data: { accountType: 'client' } })
  t.match(await rowOf(world, id), { account_type: 'client', review_status: null })
  await prisma.account.update({ where: { id }, data: { accountType: 'lawyer' } })
  t.match(await rowOf(world, id), { account_type: 'lawyer', review_status: 'approved' })
  await prisma.lawyerProfile.delete({ where: { accountId: id } })
  t.match(await rowOf(world, id), { review_status: null })
  await prisma.account.delete({ where: { id } })
  t.equal(await rowOf(world, id), undefined)
})

void t.test('has a row for each account with a profile', async (t) => {
  const world = await openWorld()
  for (let count = 0; count < 3; count++) await world.person()
  const { rows } = await world.service.database.pool.query(
    `SELECT p.account_id FROM profiles p LEFT JOIN account_search s ON s.account_id = p.account_id
     WHERE s.account_id IS NULL`,
  )
  t.same(rows, [])
})
