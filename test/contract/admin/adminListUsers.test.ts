import { adminCases, adminToken, allPages, asAdmin, newLawyer } from '../../support/cases/administration.ts'
import { contract } from '../../support/cases/contract.ts'
import type { Received } from '../../support/service/responses.ts'
import type { Send, Sent } from '../../support/service/sender.ts'
import type { World } from '../../support/service/world.ts'

const common = adminCases('adminListUsers', async () => ({}))

const idsOf = ({ body }: Received): number[] => (body.data.items as { id: number }[]).map(({ id }) => id)

/** Creates a user with a name. Returns the account ID. */
async function createNamedUser(world: World, name: string): Promise<number> {
  const { id } = await world.person()
  await world.service.database.prisma.profile.update({ where: { accountId: id }, data: { name } })
  return id
}

/** Returns the IDs of all pages in order. */
function allIds(send: Send, query: NonNullable<Sent['query']>): Promise<number[]> {
  return allPages(send, query, idsOf)
}

contract('adminListUsers', {
  200: asAdmin({
    'records the filters and the returned users, but not the search text': async (send, world, t) => {
      const admin = await world.person({ isAdmin: true })
      const token = await admin.token()
      const { id, email, phone } = await world.person()
      const name = await createNamedUser(world, 'نورة الشهري')
      await send({ token, query: { q: email, status: 'active' } })
      await send({ token, query: { q: phone } })
      const received = await send({ token, query: { q: 'نورة الشهري', limit: 1 } })
      await send({ token, query: { q: 'no user has this name' } })
      const trail = await world.service.database.prisma.auditEvent.findMany({
        where: { actorId: admin.id },
        orderBy: { id: 'asc' },
      })
      t.same(
        trail.map(({ event, accountId, subject, address }) => [event, accountId, subject, address]),
        [
          ['users_listed', null, `q=email status=active limit=20 users=${id}`, world.address],
          ['users_listed', null, `q=phone limit=20 users=${id}`, world.address],
          ['users_listed', null, `q=text limit=1 users=${name}`, world.address],
          ['users_listed', null, 'q=text limit=20 users=none', world.address],
        ],
      )
      return received
    },
    'records a long page as a count and a range of users': async (send, world, t) => {
      const admin = await world.person({ isAdmin: true })
      const token = await admin.token()
      const { prisma } = world.service.database
      const common = { passwordHash: '-', phoneCode: '966', accountType: 'client' } as const
      for (let number = 100; number < 199; number++) {
        const email = `long-page-${number}@example.org`
        const account = { ...common, email, phone: `+966501000${number}`, profile: { create: { name: 'نورة' } } }
        await prisma.account.create({ data: account, select: { id: true } })
      }
      const received = await send({ token, query: { limit: 99 } })
      const ids = idsOf(received)
      const event = await prisma.auditEvent.findFirstOrThrow({ where: { actorId: admin.id } })
      t.equal(event.subject, `limit=99 users=99:${ids[0]}-${ids.at(-1)}`)
      return received
    },
    'lists the newest accounts first': async (send, world, t) => {
      const client = await world.person({ status: 'suspended' })
      const lawyer = await newLawyer(world)
      const received = await send({ query: { limit: 2 } })
      const national = ({ phone }: { phone: string }): string => phone.slice(1)
      t.match(received.body.data.items, [
        {
          id: lawyer.id,
          email: lawyer.email,
          phone: national(lawyer),
          phone_code: '966',
          account_type: 'lawyer',
          status: 'active',
          review_status: 'pending',
          profile_complete: true,
        },
        { id: client.id, account_type: 'client', status: 'suspended', is_admin: false, review_status: null },
      ])
      return received
    },
    'returns stable pages when an account registers between requests': async (send, world, t) => {
      const people = [await world.person(), await world.person(), await world.person()].map(({ id }) => id).reverse()
      const first = await send({ query: { limit: 2 } })
      await world.person()
      const received = await send({ query: { limit: 2, cursor: first.body.data.next_cursor as string } })
      t.same([...idsOf(first), idsOf(received)[0]], people)
      t.same(new Set(await allIds(send, { limit: 7 })).size, await world.service.database.prisma.account.count())
      return received
    },
    'filters by account type, status and review status': async (send, world, t) => {
      const lawyer = await newLawyer(world)
      const approved = await newLawyer(world)
      const suspended = await world.person({ status: 'suspended' })
      const { prisma } = world.service.database
      await prisma.lawyerProfile.update({ where: { accountId: approved.id }, data: { reviewStatus: 'approved' } })
      const first = async (query: NonNullable<Sent['query']>): Promise<number | undefined> =>
        idsOf(await send({ query: { ...query, limit: 1 } }))[0]
      t.equal(await first({ account_type: 'lawyer' }), approved.id)
      t.equal(await first({ review_status: 'pending' }), lawyer.id)
      t.equal(await first({ review_status: 'approved', account_type: 'lawyer' }), approved.id)
      t.equal(await first({ status: 'suspended' }), suspended.id)
      t.same(
        await allIds(send, { review_status: 'pending', limit: 1 }),
        await allIds(send, { review_status: 'pending' }),
      )
      return send({ query: { status: 'active', account_type: 'client', review_status: 'rejected' } })
    },
    'excludes former lawyers from the review status filter': async (send, world, t) => {
      const { id } = await newLawyer(world)
      await world.service.database.prisma.account.update({ where: { id }, data: { accountType: 'client' } })
      const received = await send({ query: { review_status: 'pending' } })
      t.notOk(idsOf(received).includes(id))
      return received
    },
    'searches by part of a name, ignoring case, diacritics and letter variants': async (send, world, t) => {
      const id = await createNamedUser(world, 'أَحْمَد الإدريسيّ Müller')
      for (const q of ['احمد الادريسي', 'إدريسي', 'MÜLL', 'muller', ' أحمــد ']) {
        t.same(idsOf(await send({ query: { q } })), [id], q)
      }
      return send({ query: { q: 'احمد الادريسي' } })
    },
    'searches by part of an e-mail address': async (send, world, t) => {
      const { id, email } = await world.person()
      t.same(idsOf(await send({ query: { q: email.toUpperCase() } })), [id])
      return send({ query: { q: '@example' } })
    },
    'searches by a phone number in any notation': async (send, world, t) => {
      const { id, phone } = await world.person()
      const arabic = phone.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
      const spaced = `+966 ${phone.slice(1, 3)}-${phone.slice(3)}`
      for (const q of [phone, arabic, spaced, `00966${phone.slice(1)}`, phone.slice(1)]) {
        t.same(idsOf(await send({ query: { q } })), [id], q)
      }
      return send({ query: { q: phone } })
    },
    'treats SQL pattern characters as ordinary text': async (send, world, t) => {
      const id = await createNamedUser(world, `100% _o'hara\\`)
      t.same(idsOf(await send({ query: { q: '%' } })), [id])
      t.same(idsOf(await send({ query: { q: `_o'hara\\` } })), [id])
      return send({ query: { q: '_' } })
    },
    'ignores a blank search text': async (send, _world, t) => {
      const received = await send({ query: { q: ' ' } })
      t.ok(idsOf(received).length > 0)
      return received
    },
    'searches all accounts, including old ones': async (send, world, t) => {
      const id = await createNamedUser(world, 'بعيد جدا')
      await world.service.asOwner(`
        WITH many AS (
          INSERT INTO accounts (id, email, phone, phone_code, password_hash, account_type)
          SELECT setval('accounts_id_seq', nextval('accounts_id_seq') + 100), 'many-' || n || '@example.org', '+20' || n,
            '20', '', 'client'
          FROM generate_series(1, 1600) n RETURNING id)
        INSERT INTO profiles (account_id, name) SELECT id, 'many' FROM many`)
      t.same(await allIds(send, { q: 'بعيد' }), [id])
      t.same(await allIds(send, { q: 'no such text' }), [])
      t.equal(new Set(await allIds(send, { q: 'many', limit: 100 })).size, 1600)
      t.same(await allIds(send, { q: 'many', status: 'suspended' }), [])
      return send({ query: { q: 'بعيد' } })
    },
    'finds only the owner of a whole e-mail address or phone number': async (send, world, t) => {
      const owner = await world.person()
      const other = await world.person()
      const data = { email: `other-${owner.email}` }
      await world.service.database.prisma.account.update({ where: { id: other.id }, data })
      t.same(idsOf(await send({ query: { q: ` ${owner.email.toUpperCase()}` } })), [owner.id])
      t.same(idsOf(await send({ query: { q: owner.email, status: 'suspended' } })), [])
      t.equal(idsOf(await send({ query: { q: owner.email.slice(0, -1) } })).length, 2)
      return send({ query: { q: owner.phone } })
    },
    'finds an account by its ID': async (send, world, t) => {
      const { id } = await world.person()
      t.ok((await allIds(send, { q: String(id) })).includes(id))
      t.same(await allIds(send, { q: String(id), account_type: 'lawyer' }), [])
      for (const q of ['2147483648', '9'.repeat(100)]) t.same(await allIds(send, { q }), [], q)
      return send({ query: { q: String(id) } })
    },
    'combines a search with all filters': async (send, world, t) => {
      const lawyer = await newLawyer(world)
      const all = { q: 'example', account_type: 'lawyer', status: 'active', review_status: 'pending' }
      t.ok((await allIds(send, all)).includes(lawyer.id))
      for (const other of [{ account_type: 'client' }, { status: 'suspended' }, { review_status: 'approved' }]) {
        t.notOk((await allIds(send, { ...all, ...other })).includes(lawyer.id))
      }
      return send({ query: all })
    },
  }),
  400: common[400],
  401: common[401],
  403: common[403],
  422: {
    'rejects invalid parameters': async (send, world, t) => {
      const query = { limit: 101, status: 'unknown', account_type: 'admin', q: 'x'.repeat(101), page: 2 }
      const received = await send({ token: await adminToken(world), query })
      t.same(received.body.data.codes, {
        limit: ['too_large'],
        status: ['not_allowed'],
        account_type: ['not_allowed'],
        q: ['too_long'],
        page: ['unknown_field'],
      })
      return received
    },
    'rejects invalid cursors': async (send, world, t) => {
      const token = await adminToken(world)
      for (const cursor of ['x', '_', 'MTIz.', Buffer.from('1.2').toString('base64url'), 'LTE']) {
        const received = await send({ token, query: { cursor } })
        t.same(received.body.data.codes, { cursor: ['wrong_format'] }, cursor)
      }
      return send({ token, query: { cursor: 'x' } })
    },
  },
  429: common[429],
  500: common[500],
  503: common[503],
})
