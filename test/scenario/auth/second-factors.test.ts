// A password alone no longer opens an account with a second factor, whatever happens at the same time.
import t from 'tap'
import { untilServed } from '../../support/service/sender.ts'
import { instanceWith } from '../../support/service/instance.ts'
import { codeFor, establishedPerson, resetBy } from '../../support/accounts/resets.ts'
import { begin, BY_PASSWORD, codeAt, establish, protectedPerson } from '../../support/accounts/second-factors.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'
import type { OperationId } from '../../../src/contract/operation.ts'

const STALE_MS = 16 * 60_000
const NEW_PASSWORD = 'olive3kayak'

const service = await sharedService()
const { keys } = service.config
const second = await instanceWith(service, 'text' in keys ? keys.text : '')

async function openSessions({ service: { database } }: World, accountId: number): Promise<number> {
  return database.prisma.session.count({ where: { accountId, endedAt: null } })
}

void t.test('leaves no session of a password alone, whatever races with the first factor', async (t) => {
  const password = { email: '', password: PASSWORD }
  const rounds = raceRounds(20)
  for (let round = 0; round < rounds; round++) {
    const world = await openWorld(service)
    const person = await world.person()
    const other = await person.logIn()
    const token = await person.token()
    const { secret } = await begin(world, token)
    const json = { code: codeAt(secret, service.clock.nowMs()) }
    const reauthentication = { method: 'password', password: PASSWORD }
    const login = { json: { ...password, email: person.email } }
    const [confirmed, ...others] = await Promise.all([
      untilServed(world.send('confirmTotp'), { token, json }),
      untilServed(second.send('login'), login),
      untilServed(world.send('login'), login),
      untilServed(second.send('reauthenticate'), { token: other.token, json: reauthentication }),
      untilServed(second.send('refreshToken'), { json: { refresh_token: other.refresh } }),
    ])
    t.equal(confirmed.status, 200)
    for (const each of others.filter(({ status }) => status === 200)) {
      const { status } = await world.send('checkToken')({ token: tokensIn(each).token })
      t.equal(status, 401, 'a session that began with the password alone has ended')
    }
    t.equal(await openSessions(world, person.id), 1, 'only the session that has added the app is left')
  }
})

const CONTACTS = {
  'a number that replaced another one': { isPhoneVerified: true, isReplaced: true, error: 'verified_contact_required' },
  'the first number of the account': { isPhoneVerified: false, isReplaced: false, error: undefined },
}

for (const [title, { isPhoneVerified, isReplaced, error }] of Object.entries(CONTACTS)) {
  void t.test(
    `leaves a verified contact when the first factor meets ${title} that has just been verified`,
    async (t) => {
      const world = await openWorld(service)
      const person = await world.person({ isEmailVerified: false, isPhoneVerified })
      const token = await person.token()
      const number = { phone: isReplaced ? world.newPhone() : person.phone, phone_code: '966' }
      await world.send('checkPhone')({ form: number })
      const json = { ...number, otp: await codeFor(world, number.phone) }
      t.equal((await world.send('patchProfile')({ token, json })).status, 200)
      for (const id of ['beginTotp', 'beginPasskey'] as const)
        t.equal((await world.send(id)({ token, ...BY_PASSWORD })).headers['error-code'], error, id)
      if (error === undefined) await protectedPerson(world, person)
      const where = { id: person.id }
      t.ok((await service.database.prisma.account.findUniqueOrThrow({ where })).phoneVerifiedAt, 'it is verified')
    },
  )
}

void t.test('requires the second factor of a change of the password and of a deletion', async (t) => {
  const world = await openWorld(service)
  const { person, token, nextCode } = await protectedPerson(world)
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  world.wait(STALE_MS)
  const { refresh } = await person.logIn().catch(() => ({ refresh: '' }))
  t.equal(refresh, '', 'the password alone begins no session')
  const requests = { changePassword: change, requestAccountDeletion: { password: PASSWORD } } as const
  for (const [id, json] of Object.entries(requests)) {
    const { headers } = await untilServed(world.send(id as OperationId), { token, json })
    t.equal(headers['error-code'], 'reauthentication_required', id)
  }
  const json = { method: 'password', password: PASSWORD, code: nextCode() }
  const proven = tokensIn(await world.send('reauthenticate')({ token, json }))
  world.wait(STALE_MS / 2)
  const changed = tokensIn(await world.send('changePassword')({ token: proven.token, json: change }))
  world.wait(STALE_MS / 2)
  const later = { current_password: NEW_PASSWORD, new_password: 'kayak3olive' }
  const { headers } = await world.send('changePassword')({ token: changed.token, json: later })
  t.equal(headers['error-code'], 'reauthentication_required', 'a new password is no proof of the factor')
})

void t.test('changes nothing for an account without a second factor', async (t) => {
  const world = await openWorld(service)
  const person = await world.person()
  const token = await person.token()
  world.wait(STALE_MS)
  const json = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  t.equal((await world.send('changePassword')({ token, json })).status, 200)
})

void t.test('keeps the second factor through a password reset and a change of the e-mail address', async (t) => {
  const world = await openWorld(service)
  const { person, nextCode } = await protectedPerson(world, await establishedPerson(world))
  await establish(world, person)
  t.equal(await resetBy.email(world, person), 200)
  const json = { email: person.email, password: NEW_PASSWORD }
  t.equal((await world.send('login')({ json })).headers['error-code'], 'mfa_required')
  t.equal((await world.send('login')({ json: { ...json, code: nextCode() } })).status, 200)
})
