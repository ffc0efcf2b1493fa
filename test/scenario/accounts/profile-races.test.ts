// Concurrent updates: unique values stay unique, and a profile is stored as one request sent it.
import t from 'tap'
import { clientForm, lawyerForm } from '../../support/accounts/profile-forms.ts'
import { untilServed } from '../../support/service/sender.ts'
import { openWorld, type Person, type World } from '../../support/service/world.ts'

const RACERS = 16
/** A network may send 60 addresses that are taken. */
const ROUNDS = 3

async function people(world: World): Promise<{ person: Person; token: string }[]> {
  const list = await Promise.all(Array.from({ length: RACERS }, () => world.person({ isEmailVerified: false })))
  return Promise.all(list.map(async (person) => ({ person, token: await person.token() })))
}

/** Returns all statuses, and the distinct field errors of the rejections. */
function summarize(responses: { status: number; body: { data: { codes?: object } | null } }[]): {
  statuses: number[]
  refusals: string[]
} {
  const refusals = responses.flatMap(({ body }) => (body.data?.codes ? [JSON.stringify(body.data.codes)] : []))
  return { statuses: responses.map(({ status }) => status).sort(), refusals: [...new Set(refusals)].sort() }
}

const ONE_WINS = [200, ...Array<number>(RACERS - 1).fill(422)]

void t.test('gives an e-mail address to one of many concurrent requests', async (t) => {
  const world = await openWorld()
  const racers = await people(world)
  for (let round = 0; round < ROUNDS; round++) {
    const email = `wanted-${round}@example.org`
    const responses = await Promise.all(
      racers.map(({ person, token }) => world.send('updateProfile')({ token, form: clientForm({ ...person, email }) })),
    )
    const { statuses, refusals } = summarize(responses)
    t.same(statuses, ONE_WINS)
    t.same(refusals, ['{"email":["email_taken"]}'])
    const winner = responses.findIndex(({ status }) => status === 200)
    const { person, token } = racers[winner] ?? { person: undefined, token: '' }
    if (person) await world.send('updateProfile')({ token, form: clientForm(person) })
  }
})

void t.test('accepts a code once under concurrent updates', async (t) => {
  const world = await openWorld()
  const racers = await people(world)
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const otp = world.codesTo(phone)[0] ?? ''
  const responses = await Promise.all(
    racers.map(({ person, token }) =>
      world.send('updateProfile')({ token, form: clientForm({ ...person, phone }, { otp }) }),
    ),
  )
  const { statuses, refusals } = summarize(responses)
  t.same(statuses, ONE_WINS)
  t.ok(refusals.every((codes) => ['{"otp":["otp_wrong"]}', '{"phone":["phone_taken"]}'].includes(codes)))
})

void t.test('applies concurrent updates of a profile atomically', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const forms = Array.from({ length: 32 }, (_, at) => {
    const mark = String(at + 1)
    if (at % 2 === 0) return clientForm(person, { name: mark, longitude: mark, city_id: mark })
    const licences = { sections: '[101,102]', license_no: JSON.stringify({ 101: mark, 102: mark }) }
    return lawyerForm(person, { first_name: mark, longitude: mark, city_id: mark, about: mark, ...licences })
  })
  const update = world.send('updateProfile')
  const responses = await Promise.all(forms.map((form) => untilServed(update, { token, form })))
  t.same([...new Set(responses.map(({ status }) => status))], [200])

  const { user } = (await world.send('getProfile')({ token })).body.data as { user: Record<string, unknown> }
  const mark = String(user['longitude'])
  const isLawyer = user['account_type'] === 'lawyer'
  t.equal(String(user['city_id']), mark)
  t.match(String(user['name']), isLawyer ? new RegExp(`^${mark} `) : new RegExp(`^${mark}$`))
  if (isLawyer) t.match(user, { about: mark, license_no: { 101: mark, 102: mark } })
})
