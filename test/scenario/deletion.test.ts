// An account whose owner leaves: what goes, when, and what stays.
import t from 'tap'
import { giveFile, image } from '../support/files.ts'
import { clientRegistration, saudiNumber } from '../support/registrations.ts'
import { openWorld, PASSWORD, tokensIn } from '../support/world.ts'

const DAY_MS = 86_400_000
const json = { password: PASSWORD }

void t.test('after thirty days the account is gone for good, and its address and number are free', async (t) => {
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
  t.equal(trail.filter(({ event }) => event === 'account_deleted').length, 1, 'once, whoever does it')
  t.equal(await prisma.account.count({ where: { id: stays.id } }), 1)

  const again = await world.send('register')({ json: clientRegistration({ email }) })
  t.equal(again.status, 201)
})

void t.test('who cancels stays', async (t) => {
  const world = await openWorld()
  const { store } = world.service.app.context
  const person = await world.person()
  await world.send('requestAccountDeletion')({ json, token: await person.token() })
  world.wait(20 * DAY_MS)
  t.equal((await world.send('cancelAccountDeletion')({ token: await person.token() })).status, 200)
  world.wait(20 * DAY_MS)
  await store.deletions.carryOut()
  t.equal((await world.send('getProfile')({ token: await person.token() })).status, 200)
})
