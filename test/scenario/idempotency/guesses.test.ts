// A used Idempotency-Key with other bodies guesses the password of the account that was registered with it.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import { withKey } from '../../support/cases/idempotency-cases.ts'
import { clientRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import type { Sent } from '../../support/service/sender.ts'
import { openWorld, tokensIn, type World } from '../../support/service/world.ts'

const RIGHT = 'olive-harbour-58-lantern'
const NEW_PASSWORD = 'copper-meadow-31-anchor'
const PER_ACCOUNT = RATE_LIMITS['login-account'].points
const SECOND_MS = 1000

type Registered = { owner: World; thief: World; email: string; sent(password?: string): Sent }

/** Registers an account from one network. The thief has another network, the body and the key, but not the password. */
async function register(): Promise<Registered> {
  const [owner, thief] = [await openWorld(), await openWorld()]
  const form = clientRegistration({ ...(await saudiNumber(owner)), password: RIGHT })
  const key = randomUUID()
  const sent = (password = RIGHT): Sent => withKey({ json: { ...form, password } }, key)
  const first = await owner.send('register')(sent())
  t.equal(first.status, 201)
  t.notMatch(first.headers['ratelimit-policy'], /login/, 'the first request is not counted as a login')
  return { owner, thief, email: form['email'] ?? '', sent }
}

const guess = (count: number): string => `wrong-harbour-58-lantern-${count}`

void t.test('rejects guesses after the number of wrong passwords, and then also the right one', async (t) => {
  const { owner, thief, email, sent } = await register()
  const send = thief.send('register')
  const codes: unknown[] = []
  for (let count = 0; count < 150; count++) {
    codes.push((await send(sent(guess(count)))).headers['error-code'])
    thief.wait(SECOND_MS)
  }
  t.equal(codes.filter((code) => code === 'invalid_data').length, PER_ACCOUNT)
  t.equal(codes.filter((code) => code === 'rate_limited').length, 150 - PER_ACCOUNT)
  t.equal((await send(sent())).headers['error-code'], 'rate_limited', 'the right password is not confirmed')
  const login = await thief.send('login')({ json: { email, password: RIGHT } })
  t.equal(login.headers['error-code'], 'rate_limited', 'a login counts by the same counter')

  const again = await owner.send('register')(sent())
  t.match(again, { status: 201, headers: { 'idempotency-replayed': 'true' } })
  t.ok(tokensIn(again).token, 'another network repeats the request')
})

void t.test('evaluates no more guesses in parallel', async (t) => {
  const { thief, sent } = await register()
  const guesses = Array.from({ length: 4 * PER_ACCOUNT }, (_, count) => thief.send('register')(sent(guess(count))))
  const codes = (await Promise.all(guesses)).map(({ headers }) => headers['error-code'])
  t.equal(codes.filter((code) => code === 'invalid_data').length, PER_ACCOUNT)
})

void t.test('counts wrong passwords of logins and guesses together, and records both', async (t) => {
  const { owner, thief, email, sent } = await register()
  const wrongLogin = { json: { email, password: guess(0) } }
  for (let count = 0; count < PER_ACCOUNT / 2; count++) {
    t.equal((await thief.send('login')(wrongLogin)).status, 401)
    t.equal((await thief.send('register')(sent(guess(count)))).status, 422)
  }
  t.equal((await thief.send('register')(sent(guess(0)))).headers['error-code'], 'rate_limited')
  const { prisma } = owner.service.database
  const { id } = await prisma.account.findUniqueOrThrow({ where: { email } })
  t.equal(await prisma.auditEvent.count({ where: { accountId: id, event: 'login_failed' } }), PER_ACCOUNT)
})

void t.test('does not count retries of the same body', async (t) => {
  const { owner, email, sent } = await register()
  for (let count = 0; count < 2 * PER_ACCOUNT; count++) t.equal((await owner.send('register')(sent())).status, 201)
  t.equal((await owner.send('login')({ json: { email, password: RIGHT } })).status, 200)
})

void t.test('returns no tokens for the old password after it was changed', async (t) => {
  const { owner, thief, sent } = await register()
  const { token } = tokensIn(await owner.send('register')(sent()))
  const json = { current_password: RIGHT, new_password: NEW_PASSWORD }
  t.equal((await owner.send('changePassword')({ token, json })).status, 200)
  for (const world of [owner, thief]) {
    const received = await world.send('register')(sent())
    t.equal(received.headers['error-code'], 'idempotency_session_ended')
    t.notMatch(JSON.stringify(received.body), /"token":"|refresh_token/)
  }
})
