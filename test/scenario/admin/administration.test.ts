// The usual tasks of an administrator.
import t from 'tap'
import { userPath, reviewVersionOf } from '../../support/cases/administration.ts'
import { lawyerForm, picture } from '../../support/accounts/profile-forms.ts'
import type { Form } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, type Person, type World } from '../../support/service/world.ts'

const REASON = 'صورة الهوية غير واضحة.'

/** A lawyer with a complete profile, and an administrator */
async function stage(): Promise<{ world: World; lawyer: Person; token: string; admin: Person; adminToken: string }> {
  const world = await openWorld()
  const lawyer = await world.person({ accountType: 'lawyer' })
  const token = await lawyer.token()
  await world.send('updateProfile')({ token, form: lawyerForm(lawyer) })
  const admin = await world.person({ isAdmin: true })
  return { world, lawyer, token, admin, adminToken: await admin.token() }
}

void t.test('lists, suspends and restores users, and audits each action', async (t) => {
  const { world, lawyer, token, admin, adminToken } = await stage()
  const list = await world.send('adminListUsers')({ token: adminToken, query: { q: lawyer.phone } })
  t.match(list.body.data, { items: [{ id: lawyer.id, status: 'active', review_status: 'pending' }], next_cursor: null })
  await world.send('adminGetUser')({ ...userPath(lawyer), token: adminToken })

  await world.send('adminSuspendUser')({ ...userPath(lawyer), token: adminToken, json: { reason: 'impersonation' } })
  t.equal((await world.send('checkToken')({ token })).status, 401)
  t.equal((await world.send('login')({ json: { email: lawyer.email, password: PASSWORD } })).status, 403)
  const suspended = await world.send('adminGetUser')({ ...userPath(lawyer), token: adminToken })
  t.match(suspended.body.data.account, { status: 'suspended', suspension_reason: 'impersonation', sessions: 0 })

  await world.send('adminRestoreUser')({ ...userPath(lawyer), token: adminToken, json: { reason: 'a mistake' } })
  t.equal((await world.send('checkToken')({ token })).status, 401, 'the old token stays revoked')
  t.equal((await world.send('checkToken')({ token: await lawyer.token() })).status, 200)

  const trail = await world.send('adminListAudit')({ token: adminToken, query: { account_id: lawyer.id } })
  const events = (trail.body.data.items as { event: string; actor_id: number | null; reason: string | null }[])
    .map(({ event, actor_id: actor, reason }) => [event, actor, reason])
    .reverse()
  t.same(events, [
    ['login', null, null],
    ['profile_updated', null, null],
    ['user_read', admin.id, null],
    ['user_suspended', admin.id, 'impersonation'],
    ['login_suspended', null, null],
    ['user_read', admin.id, null],
    ['user_restored', admin.id, 'a mistake'],
    ['login', null, null],
  ])
})

void t.test('revokes sessions that start during a suspension', async (t) => {
  const { world, lawyer, adminToken } = await stage()
  const json = { reason: 'impersonation' }
  await world.send('adminSuspendUser')({ ...userPath(lawyer), token: adminToken, json })
  const { store, tokens } = world.service.app.context
  const { prisma } = world.service.database
  const { passwordHash } = await prisma.account.findUniqueOrThrow({ where: { id: lawyer.id } })
  const session = { accountId: lawyer.id, address: world.address }
  t.equal(await store.sessions.begin({ ...session, passwordHash, userAgent: undefined }), undefined)
  const { id: sessionId } = await prisma.session.create({ data: session })
  const late = tokens.issue({ accountId: lawyer.id, sessionId })
  t.equal((await world.send('checkToken')({ token: late })).status, 401)
  await world.send('adminRestoreUser')({ ...userPath(lawyer), token: adminToken, json })
  t.equal((await world.send('checkToken')({ token: late })).status, 401)
})

void t.test('reviews a lawyer, and requires a new review after changes', async (t) => {
  const { world, lawyer, token, adminToken } = await stage()
  const review = async (decision: object): Promise<void> => {
    const json = { ...decision, review_version: await reviewVersionOf(world, lawyer) }
    const { status } = await world.send('adminReviewLawyer')({ ...userPath(lawyer), token: adminToken, json })
    t.equal(status, 200)
  }
  const { national_id_image, degree_certificate, ...texts } = lawyerForm(lawyer)
  const update = async (more: Form = {}): Promise<object> => {
    const { body } = await world.send('updateProfile')({ token, form: { ...texts, ...more } })
    const { review_status, review_reason } = body.data.user as Record<string, unknown>
    return { review_status, review_reason }
  }
  t.ok(national_id_image && degree_certificate, 'the documents are stored')
  const pending = { review_status: 'pending', review_reason: null }
  const rejected = { review_status: 'rejected', review_reason: REASON }
  const approved = { review_status: 'approved', review_reason: null }

  await review({ decision: 'rejected', reason: REASON })
  const seen = await world.send('getProfile')({ token })
  t.match(seen.body.data.user, rejected)
  t.same(await update({ about: 'another text' }), rejected)
  t.same(await update({ national_id_image: picture() }), pending)

  await review({ decision: 'approved' })
  t.same(await update({ about: 'another text', languages: ['8'], profile_photo: picture() }), approved)
  t.same(await update({ sections: '101', license_no: '{"101":"38/1"}' }), pending)
  await review({ decision: 'approved' })
  t.same(await update(), approved)
  t.same(await update({ first_name: 'سعود' }), pending)
})

void t.test('audits reads of documents by administrators', async (t) => {
  const { world, lawyer, token, admin, adminToken } = await stage()
  const { body } = await world.send('adminGetUser')({ ...userPath(lawyer), token: adminToken })
  const link = (body.data.user as { national_id_image: string }).national_id_image
  for (const each of [token, adminToken]) {
    const response = await fetch(world.service.origin + link, { headers: { authorization: `Bearer ${each}` } })
    t.equal(response.status, 200)
    await response.arrayBuffer()
  }
  const query = { account_id: lawyer.id, event: 'document_read' }
  const trail = await world.send('adminListAudit')({ token: adminToken, query })
  t.match(trail.body.data.items, [
    { actor_id: admin.id, subject: 'national_id_image' },
    { actor_id: null, subject: 'national_id_image' },
  ])
})

void t.test('rejects all other users', async (t) => {
  const { world, lawyer, token } = await stage()
  const json = { reason: 'no reason' }
  const responses = [
    await world.send('adminListUsers')({ token }),
    await world.send('adminGetUser')({ ...userPath(lawyer), token }),
    await world.send('adminSuspendUser')({ ...userPath(lawyer), token, json }),
    await world.send('adminRestoreUser')({ ...userPath(lawyer), token, json }),
    await world.send('adminReviewLawyer')({
      ...userPath(lawyer),
      token,
      json: { decision: 'approved', review_version: 0 },
    }),
    await world.send('adminListAudit')({ token }),
  ]
  for (const { status, headers } of responses) t.same([status, headers['error-code']], [403, 'admin_required'])
  t.match((await world.send('getProfile')({ token })).body.data.user, { review_status: 'pending' })
})
