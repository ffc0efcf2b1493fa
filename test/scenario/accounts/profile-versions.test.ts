// Versions of a profile: the tag changes with every change, and concurrent changes do not overwrite each other.
import t from 'tap'
import { clientForm, lawyerForm, picture } from '../../support/accounts/profile-forms.ts'
import { userPath } from '../../support/cases/administration.ts'
import { etagOf } from '../../support/cases/version-cases.ts'
import { openWorld, type Person, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const RACERS = 8

/** A person with the complete profile of a lawyer */
async function newLawyer(world: World): Promise<{ person: Person; token: string }> {
  const person = await world.person()
  const token = await person.token()
  const more = { sections: '[101]', license_no: '{"101":"38/1"}', logo: picture(), profile_photo: picture() }
  await world.send('updateProfile')({ token, form: lawyerForm(person, more) })
  return { person, token }
}

void t.test('changes the tag with every change of the profile, and not otherwise', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const { person, token } = await newLawyer(world)
  const { id: accountId } = person
  const admin = await (await world.person({ isAdmin: true })).token()
  const update = (data: object) => (): Promise<unknown> => prisma.account.update({ where: { id: accountId }, data })
  const updateLawyer = (data: object) => (): Promise<unknown> =>
    prisma.lawyerProfile.update({ where: { accountId }, data })
  const changes: Record<string, () => Promise<unknown>> = {
    'an update': () => world.send('updateProfile')({ token, form: lawyerForm(person, { about: 'محامٍ.' }) }),
    'a patch': () => world.send('patchProfile')({ token, json: { longitude: 1 } }),
    'a deleted file': () => world.send('deleteProfileFile')({ token, path: { kind: 'logo' } }),
    'a review': () =>
      world.send('adminReviewLawyer')({
        ...userPath(person),
        token: admin,
        json: { decision: 'approved', review_version: 1 },
      }),
    'a requested deletion': update({ deletionDueAt: new Date() }),
    'a pending e-mail address': update({ pendingEmail: 'pending@example.org' }),
    'an unverified e-mail address': update({ emailVerifiedAt: null }),
    'an unverified number': update({ phoneVerifiedAt: null }),
    'another number': update({ phone: '+966512300000' }),
    'another account type': update({ accountType: 'client' }),
    'the account type of before': update({ accountType: 'lawyer' }),
    'another national ID': updateLawyer({ nationalId: '1099999995' }),
    'a reason of a review': updateLawyer({ reviewReason: 'x' }),
    'a detail of the person': () => prisma.profile.update({ where: { accountId }, data: { gender: 'Male' } }),
    'another language': () => prisma.lawyerLanguage.deleteMany({ where: { accountId, languageId: 8 } }),
    'another licence': () => prisma.lawyerLicence.updateMany({ where: { accountId }, data: { licenceNo: '9' } }),
  }
  for (const [title, change] of Object.entries(changes)) {
    const before = await etagOf(world, token)
    await change()
    const after = await etagOf(world, token)
    t.not(after.split('-')[1], before.split('-')[1], title)
    t.equal(await etagOf(world, token), after, 'a read does not change the tag')
  }

  const before = await etagOf(world, token)
  await person.logIn()
  await update({ passwordHash: 'x', suspensionReason: 'x' })()
  await world.send('exportAccount')({ token })
  t.equal(await etagOf(world, token), before, 'what the profile does not show does not change it')
})

void t.test('lets exactly one of the requests with the same tag change the profile', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  for (let round = 0; round < raceRounds(25); round++) {
    const headers = { 'if-match': await etagOf(world, token) }
    const responses = await Promise.all(
      Array.from({ length: RACERS }, (_, at) => {
        const longitude = round + at / 100
        if (at % 2 === 0) return world.send('patchProfile')({ token, headers, json: { longitude } })
        const form = clientForm(person, { longitude: String(longitude) })
        return world.send('updateProfile')({ token, headers, form })
      }),
    )
    const statuses = responses.map(({ status }) => status).sort()
    t.same(statuses, [200, ...Array<number>(RACERS - 1).fill(412)])
    const winner = responses.find(({ status }) => status === 200)
    const { body } = await world.send('getProfile')({ token })
    t.same(body.data.user, winner?.body.data.user)
  }
})

void t.test('keeps concurrent patches of different fields', async (t) => {
  const world = await openWorld()
  const { token } = await newLawyer(world)
  for (let round = 1; round <= raceRounds(15); round++) {
    const text = `نص ${round}`
    const patches = [
      { about: text },
      { longitude: round },
      { company_name: text },
      { sections: [101, 102], license_no: { 101: String(round), 102: String(round) } },
      { first_name: text, languages: [8] },
    ]
    const responses = await Promise.all(patches.map((json) => world.send('patchProfile')({ token, json })))
    t.same(new Set(responses.map(({ status }) => status)), new Set([200]))
    const { body } = await world.send('getProfile')({ token })
    t.match(body.data.user, Object.assign({}, ...patches) as object)
  }
})

void t.test('rejects a patch that became invalid because of another one', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const patches = [{ region_id: 2, city_id: 47 }, { city_id: 2 }]
  await Promise.all(patches.map((json) => world.send('patchProfile')({ token, json })))
  const { user } = (await world.send('getProfile')({ token })).body.data as { user: Record<string, number> }
  const city = await world.service.database.prisma.city.findUniqueOrThrow({ where: { id: user['city_id'] ?? 0 } })
  t.equal(city.regionId, user['region_id'], 'the city is in the region')
})

/** Patches of a complete lawyer; some of them are invalid */
const PATCHES: readonly Record<string, unknown>[] = [
  { about: 'نص جديد', longitude: -0.5 },
  { third_name: null, company_name: 'مكتب' },
  { sections: [102], license_no: { 102: '7' }, languages: [40] },
  { sections: [] },
  { type: 4, company_name: 'هيئة' },
  { type: 5 },
  { degree: 4 },
  { degree: 4, other_degree: 'زمالة' },
  { accurate_specialty: 999_999 },
  { national_id: '1099999995' },
  { phone_code: '965', phone: '50000001' },
  { day: 31, month: 2 },
  { account_type: 'client', name: 'نورة' },
]

void t.test('stores with a patch what a form with the same fields stores', async (t) => {
  const world = await openWorld()
  let [patched, put] = [await newLawyer(world), await newLawyer(world)]
  for (const patch of PATCHES) {
    const before = await userOf(world, put.token)
    const viaPatch = await world.send('patchProfile')({ token: patched.token, json: patch })
    const cleared = Array.isArray(patch['sections']) && patch['sections'].length === 0 ? { license_no: null } : {}
    const form = asForm({ ...before, ...patch, ...cleared })
    const viaForm = await world.send('updateProfile')({ token: put.token, form })
    const title = JSON.stringify(patch)
    t.same([viaPatch.status, viaPatch.body.data?.codes], [viaForm.status, viaForm.body.data?.codes], title)
    const own = { id: 0, email: '', phone: '', name: '', profile_photo: '', national_id_image: '' }
    const links = { degree_certificate: '', logo: '' }
    const comparable = async (token: string): Promise<object> => ({ ...(await userOf(world, token)), ...own, ...links })
    t.same(await comparable(patched.token), await comparable(put.token), title)
    // A rejected patch has changed nothing.
    if (viaPatch.status === 200) [patched, put] = [await newLawyer(world), await newLawyer(world)]
  }
})

async function userOf(world: World, token: string): Promise<Record<string, unknown>> {
  return (await world.send('getProfile')({ token })).body.data.user as Record<string, unknown>
}

function asForm(values: Record<string, unknown>): Record<string, string> {
  const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))
  const texts = Object.entries(values).map(([name, value]) => [name, value === null ? '' : toText(value)])
  return Object.fromEntries(texts) as Record<string, string>
}
