// Each kind of change has its events delivered at its commit: here, the database is never polled for them.
import t from 'tap'
import { adminToken, userPath } from '../../support/cases/administration.ts'
import { eventsIn, openReceiver, SECRET } from '../../support/servers/receiver.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld } from '../../support/service/world.ts'

const POLL_MS = 5000
const setTimer = globalThis.setInterval
const neverPolled = ((run: () => void, ms: number) =>
  ms === POLL_MS ? setTimer(() => undefined, ms) : setTimer(run, ms)) as typeof setInterval
t.intercept(globalThis, 'setInterval', { value: neverPolled })

const receiver = await openReceiver(t)
const service = await openService({ config: { events: { url: receiver.url, secrets: [SECRET] } } })
t.teardown(() => service.close())

void t.test('delivers the events of a registration', async (t) => {
  const world = await openWorld(service)
  const form = clientRegistration()
  t.equal((await world.send('register')({ json: form })).status, 201)
  const where = { email: form['email'] ?? '' }
  const { id } = await service.database.prisma.account.findUniqueOrThrow({ where })
  t.equal((await receiver.until(id, 1))[0]?.event.type, 'account.registered')
})

void t.test('delivers the event of an update of a profile', async (t) => {
  const world = await openWorld(service)
  const person = await world.person()
  const form = clientForm(person, { name: 'new' })
  t.equal((await world.send('updateProfile')({ token: await person.token(), form })).status, 200)
  t.equal((await receiver.until(person.id, 1))[0]?.event.type, 'profile.updated')
})

void t.test('delivers the event of a change by an administrator, and its replay', async (t) => {
  const world = await openWorld(service)
  const person = await world.person()
  const token = await adminToken(world)
  await world.send('adminSuspendUser')({ ...userPath(person), token, json: { reason: 'why' } })
  await receiver.until(person.id, 1)
  let [listed] = await eventsIn(world, token, { account_id: person.id })
  while (listed?.state !== 'delivered') [listed] = await eventsIn(world, token, { account_id: person.id })
  t.equal((await world.send('adminReplayEvents')({ token, json: { by: 'event', id: listed.id } })).status, 200)
  t.equal((await receiver.until(person.id, 2)).length, 2)
})
