// A lost second factor ends after a delay that its owner can use to stop the reset, and nothing else shortens or completes it.
import t from 'tap'
import {
  pendingReset,
  type Pending,
  HOUR_MS,
  knownToken,
  loginError,
  requestReset,
  RESET_MS,
  storedReset,
} from '../../support/accounts/factor-resets.ts'
import { NO_FACTORS } from '../../../src/store/factors/state.ts'
import { newAddress } from '../../support/accounts/emails.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { codeFor, establishedPerson, mailsTo } from '../../support/accounts/resets.ts'
import { begin, BY_PASSWORD, codeAt, establish, protectedPerson } from '../../support/accounts/second-factors.ts'
import { instanceWith } from '../../support/service/instance.ts'
import { untilServed } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const SECOND_MS = 1000
const STALE_MS = 16 * 60_000
const NEW_PASSWORD = 'olive3kayak'

const service = await sharedService()
const { keys } = service.config
const second = await instanceWith(service, 'text' in keys ? keys.text : '')
const { prisma } = service.database

/** Moves the clock to a time before or after that of a reset. */
function waitUntil({ service: { clock }, wait }: World, resetAt: string, offsetMs: number): void {
  wait(Date.parse(resetAt) + offsetMs - clock.nowMs())
}

/** Changes the phone number, with a code. Returns the status. */
async function changeNumber(world: World, { email }: Person, token: string): Promise<number> {
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const form = clientForm({ email, phone }, { otp: await codeFor(world, phone) })
  return (await world.send('updateProfile')({ token, form })).status
}

/** Resets the password by e-mail. Returns the status. */
async function resetByLink(world: World, { id: accountId }: Person): Promise<number> {
  const token = `reset token of ${accountId}`
  const tokenHash = service.app.context.resetTokens.hash(token)
  const expiresAt = new Date(service.clock.nowMs() + STALE_MS)
  await prisma.passwordReset.create({ data: { accountId, tokenHash, expiresAt } })
  return (await world.send('resetPassword')({ json: { by: 'email', token, password: NEW_PASSWORD } })).status
}

async function countCancelled({ id: accountId }: Person): Promise<number> {
  return prisma.auditEvent.count({ where: { accountId, event: 'factor_reset_cancelled' } })
}

void t.test('ends the factors 72 hours after the confirmation, to the second, on every instance', async (t) => {
  const world = await openWorld(service)
  const { person, resetAt, nextCode } = await pendingReset(world)
  waitUntil(world, resetAt, -SECOND_MS)
  t.equal(await loginError(world, person), 'mfa_required')
  waitUntil(world, resetAt, SECOND_MS)
  const json = { email: person.email, password: PASSWORD }
  t.equal((await second.send('login')({ json })).status, 200)
  const { token } = tokensIn(await world.send('login')({ json: { ...json, code: nextCode() } }))
  const listed = await world.send('getFactors')({ token })
  t.same(listed.body.data, { passkeys: [], totp_added_at: null, recovery_codes_left: 0, reset_at: null })
  const { id: accountId } = person
  const newest = { where: { accountId, endedAt: null }, orderBy: { createdAt: 'desc' } } as const
  const { id: sessionId } = await prisma.session.findFirstOrThrow(newest)
  const exported = await service.app.context.store.exports.read({ accountId, sessionId })
  t.match(exported, { totpConfirmedAt: null, recoveryCodesLeft: 0, resetAt: null })
})

void t.test('ends the sessions that began before it takes effect, also for good, and no later one', async (t) => {
  const world = await openWorld(service)
  const { person, resetAt, nextCode } = await pendingReset(world)
  const kept = { where: { id: person.id }, data: { factorsKeptAt: new Date() } }
  await prisma.account.update(kept) // so that the login of a thief with the app does not cancel it
  waitUntil(world, resetAt, -60_000)
  const json = { email: person.email, password: PASSWORD }
  const thiefs = tokensIn(await world.send('login')({ json: { ...json, code: nextCode() } }))
  waitUntil(world, resetAt, SECOND_MS)
  const owners = tokensIn(await world.send('login')({ json }))
  t.equal((await world.send('getFactors')({ token: thiefs.token })).status, 401)
  t.equal((await world.send('refreshToken')({ json: { refresh_token: thiefs.refresh } })).status, 401)
  const listed = await world.send('listSessions')({ token: owners.token })
  t.equal((listed.body.data as { items: unknown[] }).items.length, 1, 'the session of the thief is not listed')
  t.match(await service.app.context.store.users.byId(person.id), { sessions: 1 })
  const factorsResetAt = new Date(Date.now() - SECOND_MS)
  const begun = { accountId: person.id, createdAt: { lt: new Date(resetAt) } }
  await prisma.session.updateMany({ where: begun, data: { createdAt: new Date(Date.now() - HOUR_MS) } })
  await prisma.account.update({ ...kept, data: { factorsResetAt } })
  await service.app.context.store.deleteExpired(365)
  t.equal((await world.send('checkToken')({ token: thiefs.token })).status, 401)
  t.equal((await world.send('getFactors')({ token: owners.token })).status, 200)
  t.equal(await prisma.session.count({ where: { accountId: person.id, endedAt: null } }), 1)
})

void t.test('deletes the factors after their reset, and no others', async (t) => {
  const world = await openWorld(service)
  const [ended, pending] = [await pendingReset(world), await pendingReset(world)]
  const factorsResetAt = new Date(Date.now() - HOUR_MS)
  const data = { factorsResetAt, factorsResetBySupport: true, factorsKeptAt: factorsResetAt, factorsVouched: false }
  await prisma.account.update({ where: { id: ended.person.id }, data })
  await service.app.context.store.deleteExpired(365)
  const ids = [ended.person.id, pending.person.id]
  const remaining = await prisma.secondFactors.findMany({ where: { accountId: { in: ids } } })
  t.match(remaining, [{ accountId: pending.person.id }])
  const where = { id: ended.person.id }
  t.match(await prisma.account.findUniqueOrThrow({ where }), NO_FACTORS)
  t.equal(await loginError(world, ended.person), undefined)
})

void t.test('counts an account whose reset has taken effect as one without a factor', async (t) => {
  const world = await openWorld(service)
  const { person, resetAt, recoveryCodes } = await pendingReset(world)
  waitUntil(world, resetAt, 0)
  const token = await person.token()
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  const wrongCode = { method: 'password', password: PASSWORD, code: recoveryCodes[0] }
  const renewed = tokensIn(await world.send('reauthenticate')({ token, json: wrongCode }))
  t.equal(
    (await world.send('renewRecoveryCodes')({ token: renewed.token, ...BY_PASSWORD })).headers['error-code'],
    'second_factor_missing',
  )
  world.wait(STALE_MS)
  t.equal(
    (await world.send('changePassword')({ token: renewed.token, json: change })).status,
    200,
    'as without a factor',
  )
  const request = { email: person.email, password: NEW_PASSWORD }
  const again = await world.send('requestFactorReset')({ json: request })
  t.equal(again.headers['error-code'], 'second_factor_missing')
})

void t.test('deletes the remains of the old factors with a new one', async (t) => {
  const world = await openWorld(service)
  const { person, resetAt, secret: old, recoveryCodes } = await pendingReset(world)
  waitUntil(world, resetAt, 0)
  const { token } = await person.logIn()
  const { secret } = await begin(world, token)
  const json = { code: codeAt(secret, service.clock.nowMs()) }
  const { body } = await world.send('confirmTotp')({ token, json })
  t.equal((body.data as { recovery_codes: string[] }).recovery_codes.length, 10, 'it counts as the first one')
  t.equal(await storedReset(world, person), undefined)
  t.equal(await loginError(world, person), 'mfa_required')
  world.wait(60_000)
  const nowMs = service.clock.nowMs()
  const tries = { [codeAt(old, nowMs)]: 401, [recoveryCodes[0] ?? '']: 401, [codeAt(secret, nowMs)]: 200 }
  for (const [code, status] of Object.entries(tries)) {
    const login = { email: person.email, password: PASSWORD, code }
    t.equal((await world.send('login')({ json: login })).status, status, code)
  }
})

void t.test('does not revive the sessions that it has ended when the remains are removed', async (t) => {
  const world = await openWorld(service)
  const { person, resetAt, token: earlier } = await pendingReset(world)
  waitUntil(world, resetAt, SECOND_MS)
  const { token } = tokensIn(await world.send('login')({ json: { email: person.email, password: PASSWORD } }))
  t.equal((await world.send('removeTotp')({ token, ...BY_PASSWORD })).status, 200)
  t.equal((await world.send('getFactors')({ token: earlier })).status, 401)
  t.equal((await world.send('getFactors')({ token })).status, 200)
})

void t.test('removes the remains with the app', async (t) => {
  const world = await openWorld(service)
  const { person, resetAt } = await pendingReset(world)
  waitUntil(world, resetAt, 0)
  const { token } = await person.logIn()
  t.equal((await world.send('removeTotp')({ token, ...BY_PASSWORD })).status, 200)
  t.equal(await prisma.secondFactors.count({ where: { accountId: person.id } }), 0)
  t.equal(await storedReset(world, person), undefined)
})

void t.test('is cancelled by a login or a reauthentication with a factor, and not by one without', async (t) => {
  const proofs = {
    login: async (world: World, { email }: Person, code: string) =>
      world.send('login')({ json: { email, password: PASSWORD, code } }),
    reauthenticate: async (world: World, _person: Person, code: string, token: string) =>
      world.send('reauthenticate')({ token, json: { method: 'password', password: PASSWORD, code } }),
  }
  for (const [name, prove] of Object.entries(proofs)) {
    const world = await openWorld(service)
    const { person, token, nextCode } = await pendingReset(world)
    t.equal(await loginError(world, person), 'mfa_required')
    t.ok(await storedReset(world, person), `${name}: a password alone does not cancel it`)
    await prove(world, person, '000000', token)
    t.ok(await storedReset(world, person), `${name}: a wrong code does not cancel it`)
    t.equal((await prove(world, person, nextCode(), token)).status, 200, name)
    t.equal(await storedReset(world, person), undefined, name)
    t.equal(await countCancelled(person), 1, name)
    world.wait(RESET_MS)
    t.equal(await loginError(world, person), 'mfa_required', name)
  }
})

void t.test('is requested and confirmed whatever a session with a factor does meanwhile', async (t) => {
  const world = await openWorld(service)
  const { person, nextCode } = await protectedPerson(world)
  await establish(world, person)
  const confirmation = await requestReset(world, person)
  const json = { email: person.email, password: PASSWORD, code: nextCode() }
  const { token } = tokensIn(await world.send('login')({ json }))
  t.equal((await world.send('revokeOtherSessions')({ token })).status, 200)
  t.equal((await world.send('confirmFactorReset')({ json: confirmation })).status, 202)
})

void t.test('is not cancelled by a login with a factor that is not established', async (t) => {
  const world = await openWorld(service)
  const thief = await protectedPerson(world)
  const { person } = thief
  t.equal((await world.send('confirmFactorReset')({ json: await requestReset(world, person) })).status, 202)
  const json = { email: person.email, password: PASSWORD }
  for (const code of [thief.nextCode(), thief.recoveryCodes[0]])
    t.equal((await world.send('login')({ json: { ...json, code } })).status, 200)
  t.ok(await storedReset(world, person))
  world.wait(RESET_MS)
  t.equal(await loginError(world, person), undefined)
})

void t.test('is cancelled once: a second one only by administrators', async (t) => {
  const cancellations = {
    'a login': async (world: World, { person, nextCode }: Pending): Promise<number> =>
      (await world.send('login')({ json: { email: person.email, password: PASSWORD, code: nextCode() } })).status,
    'its link': async (world: World, { cancelToken }: Pending): Promise<number> =>
      (await world.send('cancelFactorReset')({ json: { token: cancelToken } })).status,
  }
  for (const [first, cancel] of Object.entries(cancellations)) {
    const world = await openWorld(service)
    const pending = await pendingReset(world)
    const { person } = pending
    t.equal(await cancel(world, pending), 200, first)
    t.equal(await storedReset(world, person), undefined, first)
    world.wait(HOUR_MS)
    t.equal((await world.send('confirmFactorReset')({ json: await requestReset(world, person) })).status, 202)
    const mails = await mailsTo(world, person.email) // that of the request can be sent later
    const mail = mails.find(({ subject }) => subject === 'Your second factors will be removed')
    t.match(mail?.text, 'only our support can cancel it')
    t.notMatch(mail?.text, 'cancel-factor-reset')
    const again = { ...pending, cancelToken: await knownToken(world, person, 'keep_factors') }
    t.equal(await cancellations['its link'](world, again), 422, first)
    t.equal(await cancellations['a login'](world, again), 200, first)
    t.ok(await storedReset(world, person), `${first}, and no other login`)
  }
})

void t.test('by an administrator is cancelled by its link to an established address, not by a login', async (t) => {
  const world = await openWorld(service)
  const { person, nextCode } = await protectedPerson(world)
  await establish(world, person)
  const admin = await (await world.person({ isAdmin: true })).token()
  const user = { path: { user_id: String(person.id) }, json: { reason: 'lost' }, token: admin }
  t.equal((await world.send('adminResetFactors')(user)).status, 202)
  const json = { email: person.email, password: PASSWORD, code: nextCode() }
  t.equal((await world.send('login')({ json })).status, 200)
  t.ok(await storedReset(world, person))
  const cancelled = await world.send('cancelFactorReset')({
    json: { token: await knownToken(world, person, 'keep_factors') },
  })
  t.equal(cancelled.status, 200)
  t.equal(await storedReset(world, person), undefined)

  const waiting = new Date(service.clock.nowMs() + HOUR_MS)
  await prisma.account.update({ where: { id: person.id }, data: { emailRecoversFrom: waiting } })
  await prisma.account.update({ where: { id: person.id }, data: { factorsKeptAt: null } })
  t.equal((await world.send('adminResetFactors')(user)).status, 202)
  const texts = (await mailsTo(world, person.email)).map(({ text }) => text)
  const final = texts.filter((text) => text.includes('only our support can cancel it'))
  t.equal(final.length, 1, 'an address in its waiting period gets no link')
})

void t.test('that a login could cancel becomes one by an administrator who requests another one', async (t) => {
  const world = await openWorld(service)
  const { person, resetAt, nextCode } = await pendingReset(world)
  waitUntil(world, resetAt, -HOUR_MS)
  const admin = await (await world.person({ isAdmin: true })).token()
  const user = { path: { user_id: String(person.id) }, json: { reason: 'lost' }, token: admin }
  const { body } = await world.send('adminResetFactors')(user)
  t.same(body.data, { reset_at: resetAt })
  const json = { email: person.email, password: PASSWORD, code: nextCode() }
  t.equal((await world.send('login')({ json })).status, 200)
  t.ok(await storedReset(world, person))
})

void t.test('is neither cancelled nor shortened by a password reset or a change of the password', async (t) => {
  const world = await openWorld(service)
  const { person, token, resetAt, cancelToken } = await pendingReset(world)
  const change = { current_password: PASSWORD, new_password: 'kayak3olive' }
  t.equal((await world.send('changePassword')({ token, json: change })).status, 200)
  t.equal(await resetByLink(world, person), 200)
  t.equal(await storedReset(world, person), Date.parse(resetAt))
  t.equal(await loginError(world, person, NEW_PASSWORD), 'mfa_required')
  const cancelled = await world.send('cancelFactorReset')({ json: { token: cancelToken } })
  t.equal(cancelled.status, 200, 'the owner can still cancel it')
})

void t.test('does not confirm a reset that was requested before a password reset', async (t) => {
  const world = await openWorld(service)
  const { person } = await protectedPerson(world)
  const confirmation = await requestReset(world, person)
  t.equal(await resetByLink(world, person), 200)
  t.equal((await world.send('confirmFactorReset')({ json: confirmation })).status, 422)
})

void t.test('is not cancelled by another e-mail address or phone number: a session can change them', async (t) => {
  const world = await openWorld(service)
  const { person, token } = await pendingReset(world)
  const email = newAddress()
  const form = clientForm({ email, phone: person.phone })
  t.equal((await world.send('updateProfile')({ token, form })).status, 200)
  const confirmation = `confirms ${email}`
  const tokenHash = service.app.context.emailTokens.hash(confirmation)
  const expiresAt = new Date(service.clock.nowMs() + HOUR_MS)
  await prisma.emailToken.create({ data: { tokenHash, accountId: person.id, purpose: 'verify', email, expiresAt } })
  const json = { by: 'token', token: confirmation }
  t.equal((await world.send('confirmEmail')({ token, json })).status, 200)
  t.ok(await storedReset(world, person))

  const other = await pendingReset(world)
  t.equal(await changeNumber(world, other.person, other.token), 200)
  t.ok(await storedReset(world, other.person))
})

void t.test('does not restore the factors by a change of the address after the reset has taken effect', async (t) => {
  const world = await openWorld(service)
  const { person, resetAt } = await pendingReset(world)
  waitUntil(world, resetAt, 0)
  const { token } = await person.logIn()
  t.equal(await changeNumber(world, person, token), 200)
  t.equal(await loginError(world, person), undefined)
  t.equal(await countCancelled(person), 0)
})

void t.test('is cancelled by a suspension, also after the account is restored', async (t) => {
  const world = await openWorld(service)
  const { person, cancelToken, nextCode } = await pendingReset(world)
  const token = await (await world.person({ isAdmin: true })).token()
  const user = { path: { user_id: String(person.id) }, json: { reason: 'stolen' }, token }
  t.equal((await world.send('adminSuspendUser')(user)).status, 200)
  t.equal(await countCancelled(person), 1)
  t.equal((await world.send('cancelFactorReset')({ json: { token: cancelToken } })).status, 422)
  t.equal((await world.send('adminRestoreUser')(user)).status, 200)
  world.wait(RESET_MS)
  t.equal(await loginError(world, person), 'mfa_required')
  const json = { email: person.email, password: PASSWORD, code: nextCode() }
  t.equal((await world.send('login')({ json })).status, 200)
})

void t.test('is deleted with the account, with its links', async (t) => {
  const world = await openWorld(service)
  const { person, token, cancelToken } = await pendingReset(world)
  t.equal((await world.send('requestAccountDeletion')({ token, json: { password: PASSWORD } })).status, 202)
  t.ok(await storedReset(world, person), 'the owner may come back within 30 days')
  world.wait(31 * 24 * HOUR_MS)
  await service.app.context.store.deletions.carryOut()
  t.equal(await prisma.emailToken.count({ where: { accountId: person.id } }), 0)
  t.equal((await world.send('cancelFactorReset')({ json: { token: cancelToken } })).status, 422)
})

void t.test('gives nothing for one of the two channels', async (t) => {
  const world = await openWorld(service)
  const { person } = await protectedPerson(world)
  const { person: thief } = await protectedPerson(world)
  const { token, otp } = await requestReset(world, person)
  const own = await requestReset(world, thief)
  for (const json of [
    { token, otp: own.otp },
    { token: own.token, otp },
    { token, otp: '' },
    { token: otp, otp },
  ])
    t.equal((await world.send('confirmFactorReset')({ json })).status, 422)
  t.equal(await storedReset(world, person), undefined)
  const number = { phone: person.phone, phone_code: '966' }
  const json = { by: 'phone', ...number, otp, password: NEW_PASSWORD }
  await world.send('resetPassword')({ json })
  t.not(await loginError(world, person, NEW_PASSWORD), undefined, 'the code of the number alone opens nothing')
})

void t.test('sends a code that resets no password, even where a code alone does', async (t) => {
  const { context } = service.app
  const { smsReset } = context
  context.smsReset = 'yes'
  t.teardown(() => (context.smsReset = smsReset))
  const world = await openWorld(service)
  const { person } = await protectedPerson(world)
  const { token, otp } = await requestReset(world, person)
  const number = { phone: person.phone, phone_code: '966' }
  const json = { by: 'phone', ...number, otp, password: NEW_PASSWORD }
  t.same((await world.send('resetPassword')({ json })).body.data.codes, { otp: ['otp_wrong'] })
  t.equal((await world.send('confirmFactorReset')({ json: { token, otp } })).status, 202)
})

void t.test('is not cancelled by the link of an earlier reset', async (t) => {
  const world = await openWorld(service)
  const { person, cancelToken } = await pendingReset(world)
  const admin = await (await world.person({ isAdmin: true })).token()
  const user = { path: { user_id: String(person.id) }, json: { reason: 'lost' }, token: admin }
  t.equal((await world.send('adminSuspendUser')(user)).status, 200)
  t.equal((await world.send('adminRestoreUser')(user)).status, 200)
  t.equal(await storedReset(world, person), undefined, 'the suspension has cancelled the first one')
  t.equal((await world.send('adminResetFactors')(user)).status, 202)
  t.equal((await world.send('cancelFactorReset')({ json: { token: cancelToken } })).status, 422)
  t.ok(await storedReset(world, person))
})

void t.test('is limited for each password, so that one that was stolen uses up nothing of the next one', async (t) => {
  const world = await openWorld(service)
  const { person } = await protectedPerson(world, await establishedPerson(world))
  await establish(world, person)
  const request = async (password: string): Promise<number> => {
    world.wait(6 * 60_000)
    return (await world.send('requestFactorReset')({ json: { email: person.email, password } })).status
  }
  for (const status of [202, 202, 202, 429]) t.equal(await request(PASSWORD), status)
  t.equal(await resetByLink(world, person), 200)
  t.equal(await request(NEW_PASSWORD), 202)
})

void t.test('schedules one reset of two equal confirmations', async (t) => {
  const rounds = raceRounds(20)
  for (let round = 0; round < rounds; round++) {
    const world = await openWorld(service)
    const { person } = await protectedPerson(world)
    const json = await requestReset(world, person)
    const received = await Promise.all([
      untilServed(world.send('confirmFactorReset'), { json }),
      untilServed(second.send('confirmFactorReset'), { json }),
    ])
    t.same(received.map(({ status }) => status).sort(), [202, 422])
    t.equal(await prisma.emailToken.count({ where: { accountId: person.id, purpose: 'keep_factors' } }), 1)
  }
})

void t.test('is cancelled by a login that comes after its confirmation', async (t) => {
  const rounds = raceRounds(20)
  for (let round = 0; round < rounds; round++) {
    const world = await openWorld(service)
    const { person, nextCode } = await protectedPerson(world)
    await establish(world, person)
    const code = nextCode()
    const json = await requestReset(world, person)
    const login = { json: { email: person.email, password: PASSWORD, code } }
    const [begun, confirmed] = await Promise.all([
      untilServed(world.send('login'), login),
      untilServed(second.send('confirmFactorReset'), { json }),
    ])
    t.same([begun.status, confirmed.status], [200, 202])
    const cancelled = await countCancelled(person)
    t.equal((await storedReset(world, person)) === undefined, cancelled === 1)
  }
})

void t.test('decides between a cancellation and another confirmation', async (t) => {
  const rounds = raceRounds(20)
  for (let round = 0; round < rounds; round++) {
    const world = await openWorld(service)
    const { person, cancelToken } = await pendingReset(world)
    world.wait(HOUR_MS)
    const json = await requestReset(world, person)
    const [cancelled, confirmed] = await Promise.all([
      untilServed(world.send('cancelFactorReset'), { json: { token: cancelToken } }),
      untilServed(second.send('confirmFactorReset'), { json }),
    ])
    t.equal(cancelled.status, 200)
    const isPending = (await storedReset(world, person)) !== undefined
    if (confirmed.status === 422) t.notOk(isPending, 'the cancellation ends the other link')
    const newest = await knownToken(world, person, 'keep_factors')
    const again = await world.send('cancelFactorReset')({ json: { token: newest } })
    t.equal(again.status, 422)
    t.equal((await storedReset(world, person)) !== undefined, isPending, 'only one is cancelled by a link')
  }
})
