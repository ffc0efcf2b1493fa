// A change of the password or the address revokes what was started with the old one.
import t from 'tap'
import type { OperationId } from '../../../src/contract/operation.ts'
import { putEmail, verificationTo } from '../../support/accounts/emails.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { establishedPerson, resetTokenFor } from '../../support/accounts/resets.ts'
import { protectedPerson } from '../../support/accounts/second-factors.ts'
import type { Sent } from '../../support/service/sender.ts'
import { raceRounds } from '../../support/timing/races.ts'
import { openWorld, PASSWORD, tokensIn, type Person, type World } from '../../support/service/world.ts'

const NEW_PASSWORD = 'staple battery horse'
const ROUNDS = raceRounds(30)
const LOGINS = 8
const YEAR_MS = 365 * 86_400_000

async function requestResetToken(world: World, { email }: Person): Promise<string> {
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  return resetTokenFor(world, email)
}

async function resetCodeFor(world: World, { phone }: Person): Promise<string> {
  await world.send('requestPasswordReset')({ json: { by: 'phone', phone_code: '966', phone } })
  await world.service.app.context.background.settle()
  return world.codesTo(phone)[0] ?? ''
}

function changePassword(world: World, token: string): ReturnType<ReturnType<World['send']>> {
  return world.send('changePassword')({ token, json: { current_password: PASSWORD, new_password: NEW_PASSWORD } })
}

void t.test('starts no session if the password hash changed during the login', async (t) => {
  const world = await openWorld()
  const { id, ...person } = await world.person()
  const { prisma } = world.service.database
  const { passwordHash } = await prisma.account.findUniqueOrThrow({ where: { id } })
  const session = { accountId: id, passwordHash, address: world.address, userAgent: undefined }
  const { sessions } = world.service.app.context.store
  t.ok(await sessions.begin(session))
  t.equal((await changePassword(world, await person.token())).status, 200)
  t.equal(await sessions.begin(session), undefined)
})

for (const change of ['a change', 'a reset'] as const) {
  void t.test(`leaves no session of the old password when logins race ${change} of it`, async (t) => {
    for (let round = 0; round < ROUNDS; round++) {
      const world = await openWorld()
      const person = await world.person()
      const { email } = person
      const accessToken = await person.token()
      const token = change === 'a reset' ? await requestResetToken(world, person) : ''
      const json = { email, password: PASSWORD }
      const logins = Array.from({ length: LOGINS }, () => world.send('login')({ json }))
      const changed =
        change === 'a reset'
          ? world.send('resetPassword')({ json: { by: 'email', token, password: NEW_PASSWORD } })
          : changePassword(world, accessToken)
      const responses = await Promise.all(logins)
      t.equal((await changed).status, 200)
      for (const response of responses.filter(({ status }) => status === 200)) {
        const { status } = await world.send('checkToken')({ token: tokensIn(response).token })
        t.equal(status, 401, 'a session of the old password has ended')
      }
      t.equal((await world.send('login')({ json })).status, 401)
    }
  })
}

const CHANGES: Record<string, (world: World, person: Person) => Promise<number>> = {
  'a changed password': async (world, person) => (await changePassword(world, await person.token())).status,
  'a password in the profile form': async (world, person) => {
    const form = clientForm(person, { password: NEW_PASSWORD })
    return (await world.send('updateProfile')({ token: await person.token(), form })).status
  },
  'a changed e-mail address': async (world, person) => {
    const email = `new-${person.email}`
    await putEmail(world, person, await person.token(), email)
    const { token } = await verificationTo(world, email)
    return (await world.send('confirmEmail')({ json: { by: 'token', token } })).status
  },
}

for (const [name, change] of Object.entries(CHANGES)) {
  for (const first of ['email', 'phone'] as const) {
    void t.test(`${name} leaves the reset by ${first} to the owner, which ends the other one`, async (t) => {
      const world = await openWorld()
      const person = await world.person()
      const token = await requestResetToken(world, person)
      const otp = await resetCodeFor(world, person)
      t.equal(await change(world, person), 200)
      const password = 'a third password'
      const resets = {
        email: { by: 'email', token, password },
        phone: { by: 'phone', phone_code: '966', phone: person.phone, otp, password },
      }
      t.equal((await world.send('resetPassword')({ json: resets[first] })).status, 200)
      const other = await world.send('resetPassword')({ json: resets[first === 'email' ? 'phone' : 'email'] })
      t.same(other.body.data.codes, first === 'email' ? { otp: ['otp_wrong'] } : { token: ['reset_token_wrong'] })
    })
  }
}

void t.test('leaves resets valid after an update of other fields', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await requestResetToken(world, person)
  const updated = await world.send('updateProfile')({ token: await person.token(), form: clientForm(person) })
  t.equal(updated.status, 200)
  const json = { by: 'email', token, password: NEW_PASSWORD }
  t.equal((await world.send('resetPassword')({ json })).status, 200)
})

void t.test('accepts a password that was set years ago', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  world.wait(10 * YEAR_MS)
  t.equal((await world.send('login')({ json: { email, password: PASSWORD } })).status, 200)
})

/** A request, and the code that a login of its account needs */
type Requested = Readonly<{ owner: Person; id: OperationId; sent: Sent; code?: string }>

/** Requests with the password of an account */
const WITH_PASSWORD: Readonly<Record<string, (world: World) => Promise<Requested>>> = {
  async login(world) {
    const owner = await world.person()
    return { owner, id: 'login', sent: { json: { email: owner.email, password: PASSWORD } } }
  },
  async reauthentication(world) {
    const owner = await world.person()
    const json = { method: 'password', password: PASSWORD }
    return { owner, id: 'reauthenticate', sent: { token: await owner.token(), json } }
  },
  async 'change of the password'(world) {
    const owner = await world.person()
    const json = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    return { owner, id: 'changePassword', sent: { token: await owner.token(), json } }
  },
  async 'request for a reset of the factors'(world) {
    const { person: owner, nextCode } = await protectedPerson(world, await establishedPerson(world))
    const sent = { json: { email: owner.email, password: PASSWORD } }
    return { owner, id: 'requestFactorReset', sent, code: nextCode() }
  },
}

for (const [name, prepare] of Object.entries(WITH_PASSWORD)) {
  void t.test(`accepts a ${name} whose password was compared before another request renewed its hash`, async (t) => {
    const world = await openWorld()
    const { app, database } = world.service
    const { passwords } = app.context
    const { owner, id, sent, code } = await prepare(world)
    const readHash = async (): Promise<string> =>
      (await database.prisma.account.findUniqueOrThrow({ where: { id: owner.id } })).passwordHash
    const outdated = await readHash()
    const { matches, needsRehash } = passwords
    t.teardown(() => Object.assign(passwords, { matches, needsRehash }))
    passwords.needsRehash = (hash) => hash === outdated
    passwords.matches = async (...given) => {
      passwords.matches = matches
      const isRight = await matches(...given)
      await world.send('login')({
        json: { email: owner.email, password: PASSWORD, ...(code !== undefined && { code }) },
      })
      t.not(await readHash(), outdated, 'the other request has renewed it')
      return isRight
    }
    const { status, body } = await world.send(id)(sent)
    t.ok(status < 300, JSON.stringify(body))
  })
}
