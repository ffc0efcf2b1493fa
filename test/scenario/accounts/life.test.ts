// The lifecycle of an account, from the first code to the erasure, for a client and a lawyer.
import t, { type Test } from 'tap'
import { adminToken, userPath } from '../../support/cases/administration.ts'
import type { Received } from '../../support/service/responses.ts'
import { exportIn } from '../../support/files/archives.ts'
import { clientForm, lawyerForm } from '../../support/accounts/profile-forms.ts'
import {
  clientRegistration,
  lawyerRegistration,
  NEW_PASSWORD,
  saudiNumber,
} from '../../support/accounts/registrations.ts'
import { verificationTo } from '../../support/accounts/emails.ts'
import { codeFor, resetTokenFor, settled } from '../../support/accounts/resets.ts'
import type { Sent } from '../../support/service/sender.ts'
import { openWorld, tokensIn, type Tokens, type World } from '../../support/service/world.ts'
import type { OperationId } from '../../../src/contract/operation.ts'

const DAY_MS = 86_400_000
const SECOND_MS = 1000

type Life = { id: number; email: string; phone: string; tokens: Tokens }

/** Sends a request that must succeed. */
async function done(t: Test, world: World, id: OperationId, sent: Sent): Promise<Received> {
  const received = await world.send(id)(sent)
  t.ok(received.status < 300, `${id}: ${received.status} ${received.headers['error-code'] ?? ''}`)
  return received
}

async function logIn(t: Test, world: World, email: string, password: string): Promise<Tokens> {
  return tokensIn(await done(t, world, 'login', { json: { email, password } }))
}

async function isEnded(t: Test, world: World, { token, refresh }: Tokens): Promise<void> {
  t.equal((await world.send('getProfile')({ token })).headers['error-code'], 'token_revoked')
  t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 401)
}

async function registered(t: Test, world: World, registration: Record<string, string>): Promise<Life> {
  const tokens = tokensIn(await done(t, world, 'register', { json: registration }))
  const { body } = await done(t, world, 'getProfile', { token: tokens.token })
  const { id, profile_complete } = body.data.user as { id: number; profile_complete: boolean }
  t.notOk(profile_complete)
  return { id, email: registration['email'] ?? '', phone: registration['phone'] ?? '', tokens }
}

void t.test('a client registers, confirms, completes, logs in on two devices, and changes the password', async (t) => {
  const world = await openWorld()
  const number = await saudiNumber(world)
  await done(t, world, 'confirmPhone', { form: number })
  const life = await registered(t, world, clientRegistration(number))
  const { email, phone } = life
  const { token } = life.tokens
  const updated = await done(t, world, 'updateProfile', { token, form: clientForm({ email, phone }) })
  t.match(updated.body.data.user, { profile_complete: true, phone_verified: true })

  const first = await logIn(t, world, email, NEW_PASSWORD)
  const second = await logIn(t, world, email, NEW_PASSWORD)
  t.equal(((await done(t, world, 'listSessions', { token })).body.data.items as []).length, 3)

  const next = tokensIn(await done(t, world, 'refreshToken', { json: { refresh_token: first.refresh } }))
  await done(t, world, 'getProfile', { token: next.token })
  await settled(world)
  world.wait(31 * SECOND_MS)
  t.equal((await world.send('refreshToken')({ json: { refresh_token: first.refresh } })).status, 401)
  await isEnded(t, world, next)
  t.equal((await world.send('getProfile')({ token: second.token })).status, 200, 'another device is not affected')

  const json = { current_password: NEW_PASSWORD, new_password: 'a third horse battery' }
  const third = tokensIn(await done(t, world, 'changePassword', { token: second.token, json }))
  for (const ended of [life.tokens, second]) await isEnded(t, world, ended)
  t.equal((await world.send('getProfile')({ token: third.token })).status, 200)
  t.equal((await world.send('login')({ json: { email, password: NEW_PASSWORD } })).status, 401)
  await logIn(t, world, email, 'a third horse battery')
})

void t.test('a lawyer is reviewed, resets the password both ways, is suspended and restored', async (t) => {
  const world = await openWorld()
  const admin = await adminToken(world)
  const life = await registered(t, world, lawyerRegistration(await saudiNumber(world)))
  const { id, email, phone } = life
  const { token } = life.tokens
  await done(t, world, 'updateProfile', { token, form: lawyerForm({ email, phone }) })
  const seen = await done(t, world, 'adminGetUser', { ...userPath(life), token: admin })
  t.match(seen.body.data, { user: { id, review_status: 'pending', profile_complete: true } })
  const { review_version } = seen.body.data as { review_version: number }
  await done(t, world, 'adminReviewLawyer', {
    ...userPath(life),
    token: admin,
    json: { decision: 'approved', review_version },
  })
  t.match((await done(t, world, 'getProfile', { token })).body.data.user, { review_status: 'approved' })

  await done(t, world, 'confirmEmail', {
    token,
    json: { by: 'token', token: (await verificationTo(world, email)).token },
  })
  await done(t, world, 'requestPasswordReset', { json: { by: 'email', email } })
  const byMail = { by: 'email', token: await resetTokenFor(world, email), password: 'reset by mail 1' }
  await done(t, world, 'resetPassword', { json: byMail })
  await isEnded(t, world, life.tokens)
  t.equal((await world.send('resetPassword')({ json: byMail })).status, 422, 'a token is accepted once')
  world.wait(3 * DAY_MS) // the reset has suspended the new number for as long
  const after = await logIn(t, world, email, 'reset by mail 1')
  await done(t, world, 'requestPasswordReset', { json: { by: 'phone', phone_code: '966', phone } })
  const otp = await codeFor(world, phone)
  const bySms = { by: 'phone', phone_code: '966', phone, otp, password: 'reset by SMS 1' }
  await done(t, world, 'resetPassword', { json: bySms })
  await isEnded(t, world, after)

  const tokens = await logIn(t, world, email, 'reset by SMS 1')
  const now = { ...userPath(life), token: await adminToken(world) }
  await done(t, world, 'adminSuspendUser', { ...now, json: { reason: 'why' } })
  await isEnded(t, world, tokens)
  t.equal((await world.send('login')({ json: { email, password: 'reset by SMS 1' } })).status, 403)
  await done(t, world, 'adminRestoreUser', { ...now, json: { reason: 'because' } })
  await isEnded(t, world, tokens)
  await logIn(t, world, email, 'reset by SMS 1')
})

void t.test('an account is exported, deleted, restored by its owner, and erased', async (t) => {
  const world = await openWorld()
  const registration = clientRegistration(await saudiNumber(world))
  const { id, email, tokens } = await registered(t, world, registration)
  const json = { password: NEW_PASSWORD }
  const { account } = await exportIn(await done(t, world, 'exportAccount', { token: tokens.token }))
  t.match(account, { account: { id, email } })
  t.equal(account.events.at(-1)?.event, 'registered', 'the oldest event is last')

  await done(t, world, 'requestAccountDeletion', { token: tokens.token, json })
  await isEnded(t, world, tokens)
  world.wait(29 * DAY_MS)
  const { token } = await logIn(t, world, email, NEW_PASSWORD)
  await done(t, world, 'cancelAccountDeletion', { token })
  world.wait(2 * DAY_MS)
  const { deletions } = world.service.app.context.store
  await deletions.carryOut()
  const again = await logIn(t, world, email, NEW_PASSWORD)

  await done(t, world, 'requestAccountDeletion', { token: again.token, json })
  world.wait(31 * DAY_MS)
  const late = await logIn(t, world, email, NEW_PASSWORD)
  await deletions.carryOut()
  await isEnded(t, world, late)
  t.equal((await world.send('login')({ json: { email, password: NEW_PASSWORD } })).status, 401)
  const { prisma } = world.service.database
  t.equal(await prisma.account.count({ where: { id } }), 0)
  const events = await prisma.auditEvent.findMany({ where: { accountId: id } })
  t.ok(events.length > 4)
  t.ok(events.every(({ subject, address }) => subject === null && address === null))
  const registeredAgain = await registered(t, world, { ...registration, ...(await saudiNumber(world)) })
  t.not(registeredAgain.id, id, 'the address is free, and account ids are not reused')
})
