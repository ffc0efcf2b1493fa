// Logins with the right password and without the second factor: events, and one notice a day to the owner.
import t from 'tap'
import { mailsTo } from '../../support/accounts/resets.ts'
import { protectedPerson } from '../../support/accounts/second-factors.ts'
import { eventsOf } from '../../support/cases/administration.ts'
import { sender } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const SUBJECT = /(right|correct) password|without a second factor|دون وسيلة/
const { origin } = await sharedService()

const logIn = async (address: string, email: string, code?: string): Promise<string | undefined> => {
  const { headers } = await sender(origin, 'login', address)({ json: { email, password: PASSWORD, code } })
  return headers['error-code']
}

/** The notices of half logins that the owner has received, after those that are due are sent */
async function noticesTo(world: World, email: string): Promise<number> {
  const { app } = world.service
  for (let rounds = 0; rounds < 3; rounds++) await app.deliverMails()
  return (await mailsTo(world, email)).filter(({ subject = '' }) => SUBJECT.test(subject)).length
}

const namesOf = async (world: World, id: number): Promise<string[]> =>
  (await eventsOf(world, id)).map(({ event }) => event).filter((event) => event.startsWith('mfa_'))

void t.test('records 63 wrong codes and missing ones, and notifies the owner once a day', async (t) => {
  const world = await openWorld()
  const { person } = await protectedPerson(world)
  const { id, email } = person
  t.equal(await logIn('100.127.1.1', email), 'mfa_required')
  t.equal(await logIn('100.127.1.1', email), 'mfa_required')
  for (let at = 0; at < 63; at++) t.equal(await logIn(`100.127.2.${at}`, email, '000000'), 'mfa_code_wrong')
  t.same(await namesOf(world, id), ['mfa_code_missing', ...Array<string>(63).fill('mfa_code_failed')])
  world.wait(9 * MINUTE_MS)
  t.equal(await noticesTo(world, email), 0, 'the login can still be completed')
  world.wait(MINUTE_MS)
  t.equal(await noticesTo(world, email), 1)
  t.equal(await logIn('100.127.1.1', email), 'mfa_required')
  world.wait(11 * MINUTE_MS)
  t.equal(await noticesTo(world, email), 1, 'on the same day')
  world.wait(DAY_MS)
  t.equal(await logIn('100.127.1.1', email), 'mfa_required')
  world.wait(11 * MINUTE_MS)
  t.equal(await noticesTo(world, email), 2, 'on the next day')
})

void t.test('does not notify an owner who completes the login from the same address', async (t) => {
  const world = await openWorld()
  const { person, nextCode } = await protectedPerson(world)
  const { id, email } = person
  t.equal(await logIn('100.127.3.1', email), 'mfa_required')
  t.equal(await logIn('100.127.3.1', email, '000000'), 'mfa_code_wrong')
  t.equal(await logIn('100.127.3.1', email, nextCode()), undefined)
  t.same(await namesOf(world, id), ['mfa_code_missing', 'mfa_code_failed'])
  world.wait(11 * MINUTE_MS)
  t.equal(await noticesTo(world, email), 0)
  t.equal(await logIn('100.127.3.2', email), 'mfa_required')
  t.equal(await logIn('100.127.3.1', email, nextCode()), undefined)
  world.wait(11 * MINUTE_MS)
  t.equal(await noticesTo(world, email), 1, 'a login from another address completes nothing')
})

void t.test('records no wrong password as a half login', async (t) => {
  const world = await openWorld()
  const { person } = await protectedPerson(world)
  await sender(origin, 'login', '100.127.4.1')({ json: { email: person.email, password: 'a wrong password' } })
  t.same(await namesOf(world, person.id), [])
  world.wait(11 * MINUTE_MS)
  t.equal(await noticesTo(world, person.email), 0)
})
