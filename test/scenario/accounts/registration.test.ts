// Registration up to a complete profile, and concurrent registrations of the same person.
import t from 'tap'
import { clientForm, lawyerForm } from '../../support/accounts/profile-forms.ts'
import {
  clientRegistration,
  lawyerRegistration,
  NEW_PASSWORD,
  saudiNumber,
} from '../../support/accounts/registrations.ts'
import { untilServed } from '../../support/service/sender.ts'
import { openWorld, tokensIn, type World } from '../../support/service/world.ts'

/** Fewer than the requests with taken addresses that a network may send */
const RACERS = 50

async function rowsOf({ service }: World, email: string): Promise<object> {
  const { prisma } = service.database
  const where = { account: { email } }
  return {
    accounts: await prisma.account.count({ where: { email } }),
    profiles: await prisma.profile.count({ where }),
    sessions: await prisma.session.count({ where }),
  }
}

void t.test('registers an address once under concurrency, without leftovers', async (t) => {
  const world = await openWorld()
  const before = await world.service.database.prisma.account.count()
  const { email } = clientRegistration()
  const forms = Array.from({ length: RACERS }, () => clientRegistration({ email }))
  const responses = await Promise.all(forms.map((json) => untilServed(world.send('register'), { json })))
  const statuses = responses.map(({ status }) => status)
  t.same(statuses.sort(), [201, ...Array<number>(RACERS - 1).fill(422)])
  const codes = new Set(responses.flatMap(({ body }) => (body.data.codes ? [JSON.stringify(body.data.codes)] : [])))
  t.same([...codes], ['{"email":["email_taken"]}'])
  t.equal(await world.service.database.prisma.account.count(), before + 1)
  t.same(await rowsOf(world, email ?? ''), { accounts: 1, profiles: 1, sessions: 1 })
})

void t.test('does not reserve unverified numbers', async (t) => {
  const world = await openWorld()
  const { phone } = clientRegistration()
  const forms = Array.from({ length: 3 }, () => clientRegistration({ phone }))
  const responses = await Promise.all(forms.map((json) => world.send('register')({ json })))
  t.same(
    responses.map(({ status }) => status),
    [201, 201, 201],
  )
})

void t.test('accepts a code once under concurrent registrations', async (t) => {
  const world = await openWorld()
  const number = await saudiNumber(world)
  const responses = await Promise.all(
    Array.from({ length: 16 }, () => world.send('register')({ json: clientRegistration(number) })),
  )
  t.equal(responses.filter(({ status }) => status === 201).length, 1)
  t.equal(responses.filter(({ status }) => status === 422).length, 15)
})

void t.test('accepts names of the maximum length', async (t) => {
  const world = await openWorld()
  const names = ['first', 'second', 'third', 'fourth'].map((nth) => [`${nth}_name`, 'ن'.repeat(50)])
  const received = await world.send('register')({ json: lawyerRegistration(Object.fromEntries(names) as object) })
  t.equal(received.status, 201)
})

void t.test('a client registers, completes the profile, and becomes a lawyer', async (t) => {
  const world = await openWorld()
  const number = await saudiNumber(world)
  const form = clientRegistration(number)
  const { token } = tokensIn(await world.send('register')({ json: form }))
  const whose = { email: form['email'] ?? '', phone: number.phone }
  const asClient = await world.send('updateProfile')({ token, form: clientForm(whose) })
  t.match(asClient.body.data.user, { gender: 'Female', profile_complete: true, phone_verified: true })
  const asLawyer = await world.send('updateProfile')({ token, form: lawyerForm(whose) })
  t.match(asLawyer.body.data.user, { account_type: 'lawyer', profile_complete: true, review_status: 'pending' })
})

void t.test('requires all fields of a lawyer at registration', async (t) => {
  const world = await openWorld()
  const number = await saudiNumber(world)
  const form = lawyerRegistration(number)
  const { token } = tokensIn(await world.send('register')({ json: form }))
  const whose = { email: form['email'] ?? '', phone: number.phone }
  const { national_id_image: _image, degree_certificate: _certificate, ...without } = lawyerForm(whose)
  const missing = await world.send('updateProfile')({ token, form: without })
  t.same(missing.body.data.codes, { national_id_image: ['required'], degree_certificate: ['required'] })
  const { body } = await world.send('updateProfile')({ token, form: lawyerForm(whose) })
  t.match(body.data.user, { first_name: 'عبدالله', profile_complete: true })
  const login = await world.send('login')({ json: { email: whose.email, password: NEW_PASSWORD } })
  t.equal(login.status, 200)
})
