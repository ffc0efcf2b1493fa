// Many who update at once: what is unique stays unique, and a profile is one request's, whole.
import t from 'tap'
import { clientForm, lawyerForm } from '../support/profile-forms.ts'
import { untilServed } from '../support/sender.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

const RACERS = 16
const ROUNDS = 5

async function people(world: World): Promise<{ person: Person; token: string }[]> {
  const list = await Promise.all(Array.from({ length: RACERS }, () => world.person({ isEmailVerified: false })))
  return Promise.all(list.map(async (person) => ({ person, token: await person.token() })))
}

/** How often each status came, and the words of the refusals. */
function tally(answers: { status: number; body: { data: { codes?: object } | null } }[]): {
  statuses: number[]
  refusals: string[]
} {
  const refusals = answers.flatMap(({ body }) => (body.data?.codes ? [JSON.stringify(body.data.codes)] : []))
  return { statuses: answers.map(({ status }) => status).sort(), refusals: [...new Set(refusals)].sort() }
}

const ONE_WINS = [200, ...Array<number>(RACERS - 1).fill(422)]

void t.test('of many who want one e-mail address, one gets it', async (t) => {
  const world = await openWorld()
  const racers = await people(world)
  for (let round = 0; round < ROUNDS; round++) {
    const email = `wanted-${round}@example.org`
    const answers = await Promise.all(
      racers.map(({ person, token }) => world.send('updateProfile')({ token, form: clientForm({ ...person, email }) })),
    )
    const { statuses, refusals } = tally(answers)
    t.same(statuses, ONE_WINS)
    t.same(refusals, ['{"email":["email_taken"]}'])
    const winner = answers.findIndex(({ status }) => status === 200)
    const { person, token } = racers[winner] ?? { person: undefined, token: '' }
    if (person) await world.send('updateProfile')({ token, form: clientForm(person) })
  }
})

void t.test('of many who have one code for one number, one uses it', async (t) => {
  const world = await openWorld()
  const racers = await people(world)
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const otp = /\d{6}/.exec(world.textsTo(phone)[0] ?? '')?.[0] ?? ''
  const answers = await Promise.all(
    racers.map(({ person, token }) =>
      world.send('updateProfile')({ token, form: clientForm({ ...person, phone }, { otp }) }),
    ),
  )
  const { statuses, refusals } = tally(answers)
  t.same(statuses, ONE_WINS)
  t.ok(refusals.every((codes) => ['{"otp":["otp_wrong"]}', '{"phone":["phone_taken"]}'].includes(codes)))
})

void t.test('of many updates of one account, the profile is one of them, whole', async (t) => {
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
  const answers = await Promise.all(forms.map((form) => untilServed(update, { token, form })))
  t.same([...new Set(answers.map(({ status }) => status))], [200])

  const { user } = (await world.send('getProfile')({ token })).body.data as { user: Record<string, unknown> }
  const mark = String(user['longitude'])
  const isLawyer = user['account_type'] === 'lawyer'
  t.equal(String(user['city_id']), mark)
  t.match(String(user['name']), isLawyer ? new RegExp(`^${mark} `) : new RegExp(`^${mark}$`))
  if (isLawyer) t.match(user, { about: mark, license_no: { 101: mark, 102: mark } })
})
