// Deletion of an account: what is erased, when, and what is retained.
import t from 'tap'
import { giveFile, image } from '../../support/files/files.ts'
import { clientRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import { openWorld, PASSWORD, tokensIn } from '../../support/service/world.ts'

const DAY_MS = 86_400_000
const json = { password: PASSWORD }

void t.test('erases an account after 30 days and frees its address and number', async (t) => {
  const world = await openWorld()
  const { store } = world.service.app.context
  const { prisma } = world.service.database
  const stays = await world.person()
  const number = await saudiNumber(world)
  const form = clientRegistration({ ...number, password: PASSWORD })
  const { token } = tokensIn(await world.send('register')({ json: form }))
  const { email = '' } = form
  const { id } = await prisma.account.findUniqueOrThrow({ where: { email } })
  await giveFile(world, id, 'profile_photo', await image())
  t.equal((await world.send('requestAccountDeletion')({ json, token })).status, 202)

  await prisma.auditEvent.create({ data: { accountId: id, event: 'user_restored', reason: 'Nouf called.' } })
  world.wait(29 * DAY_MS)
  await store.deletions.carryOut()
  t.equal((await world.send('login')({ json: { email, password: PASSWORD } })).status, 200, 'not before it is due')

  world.wait(2 * DAY_MS)
  await Promise.all([store.deletions.carryOut(), store.deletions.carryOut()])
  t.equal((await world.send('login')({ json: { email, password: PASSWORD } })).status, 401)
  t.equal(await prisma.account.count({ where: { id } }), 0)
  t.equal(await prisma.profile.count({ where: { accountId: id } }), 0)
  t.equal(await prisma.file.count({ where: { accountId: id } }), 0)
  t.equal(await prisma.phoneVerification.count({ where: { phone: `+966${number.phone.slice(1)}` } }), 0)
  const trail = await prisma.auditEvent.findMany({ where: { accountId: id } })
  t.ok(trail.every(({ subject, address, reason }) => subject === null && address === null && reason === null))
  t.equal(
    trail.filter(({ event }) => event === 'account_deleted').length,
    1,
    'recorded once, by one of several concurrent erasures',
  )
  t.equal(await prisma.account.count({ where: { id: stays.id } }), 1)

  const again = await world.send('register')({ json: clientRegistration({ email }) })
  t.equal(again.status, 201)
})

void t.test(
  'ends the sessions of an account to be deleted, and retains it after its deletion is cancelled',
  async (t) => {
    const world = await openWorld()
    const { store } = world.service.app.context
    const person = await world.person()
    const { token, refresh } = await person.logIn()
    await world.send('requestAccountDeletion')({ json, token })
    t.equal((await world.send('checkToken')({ token })).headers['error-code'], 'token_revoked')
    t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 401)
    world.wait(20 * DAY_MS)
    t.equal((await world.send('cancelAccountDeletion')({ token: await person.token() })).status, 200)
    world.wait(20 * DAY_MS)
    await store.deletions.carryOut()
    t.equal((await world.send('getProfile')({ token: await person.token() })).status, 200)
  },
)

void t.test('leaves no personal data in any table', async (t) => {
  const world = await openWorld()
  const { store } = world.service.app.context
  const { prisma, pool } = world.service.database
  const number = await saudiNumber(world)
  const email = 'xerxes@erased.example'
  const wrong = { json: { email, password: 'a wrong password' } }
  await world.send('login')(wrong) // before the registration: there is no account that it could be recorded for
  const register = await world.send('register')({ json: clientRegistration({ ...number, email, password: PASSWORD }) })
  const { token } = tokensIn(register)
  const { id } = await prisma.account.findUniqueOrThrow({ where: { email } })
  await prisma.account.update({ where: { id }, data: { isAdmin: true } })
  await world.send('login')(wrong)
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  await world.send('adminListUsers')({ token, query: { q: email } })
  for (let times = 0; times < 12; times++) await world.send('login')(wrong)
  const elsewhere = { event: 'login_limited', subject: 'x***@erased.example', address: '198.51.100.7' }
  const { id: foreign } = await prisma.auditEvent.create({ data: elsewhere })
  const { id: other } = await prisma.auditEvent.create({ data: { ...elsewhere, subject: 'y***@erased.example' } })

  const national = number.phone.slice(1)
  const personal = [email, 'x***@erased.example', national, `+966***${national.slice(-3)}`, world.address]
  const found = async (): Promise<string[]> => {
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    )
    const places: string[] = []
    for (const { name } of tables) {
      for (const text of personal) {
        const { rowCount } = await pool.query(`SELECT FROM "${name}" t WHERE strpos(t::text, $1) > 0`, [text])
        if (rowCount) places.push(`${text} in ${name}`)
      }
    }
    return places
  }
  const before = await found()
  for (const text of personal)
    t.ok(
      before.some((place) => place.startsWith(text)),
      `${text} is stored before`,
    )

  await prisma.account.update({ where: { id }, data: { deletionDueAt: new Date() } })
  world.wait(DAY_MS)
  await store.deletions.carryOut()
  t.same(await found(), [])
  const listed = await prisma.auditEvent.findFirst({ where: { actorId: id, event: 'users_listed' } })
  t.match(listed, { subject: /^q=email/, address: null }, 'actions of administrators are retained')
  const failed = await prisma.auditEvent.count({ where: { accountId: id, event: 'login_failed' } })
  t.ok(failed > 0, 'events of the account are retained')
  t.match(await prisma.auditEvent.findFirst({ where: { id: foreign } }), { subject: null, address: '198.51.100.7' })
  t.match(await prisma.auditEvent.findFirst({ where: { id: other } }), { subject: 'y***@erased.example' })
})
