import { clientForm, lawyerForm, picture } from '../../support/accounts/profile-forms.ts'
import { bodyCases, commonCases, staleSessionCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract, type Case } from '../../support/cases/contract.ts'
import { versionCases } from '../../support/cases/version-cases.ts'
import { startLinkPeriod } from '../../support/files/links.ts'
import { schemaViolations } from '../../support/service/responses.ts'
import { PASSWORD, type Person, type World } from '../../support/service/world.ts'

const MERGE_PATCH = 'application/merge-patch+json'

const common = commonCases(
  'patchProfile',
  async (world) => ({ json: { longitude: 1 }, token: await (await world.person()).token() }),
  'store',
)
const tokens = tokenCases(() => ({ json: { longitude: 1 } }))
const stale = staleSessionCases((_world, person) => ({ json: { email: `new-${person.email}` } }))
const versions = versionCases((_person, longitude) => ({ json: { longitude } }))
const body = bodyCases({ longitude: 1 })

/** Returns a person with a complete profile of a lawyer, and the stored profile. */
async function completeLawyer(world: World): Promise<{ person: Person; token: string; user: Record<string, unknown> }> {
  startLinkPeriod(world)
  const person = await world.person()
  const token = await person.token()
  const more = {
    third_name: 'سعد',
    sections: '[101]',
    license_no: '{"101":"38/1"}',
    cv_file: picture(),
    logo: picture(),
  }
  const { body } = await world.send('updateProfile')({ token, form: lawyerForm(person, more) })
  return { person, token, user: body.data.user as Record<string, unknown> }
}

/** Returns a case that sends an invalid patch of a complete lawyer and expects error codes. */
function rejectsPatch(codes: Record<string, string[]>, json: object): Case {
  return async (send, world, t) => {
    const { token, user } = await completeLawyer(world)
    const received = await send({ token, json })
    t.same(received.body.data?.codes, codes)
    const { body } = await world.send('getProfile')({ token })
    t.same(body.data.user, user, 'nothing is stored')
    return received
  }
}

/** Sends a code to a new number and returns it. */
async function codeFor(world: World, phone: string): Promise<string> {
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  return world.codesTo(phone)[0] ?? ''
}

contract('patchProfile', {
  200: {
    ...versions[200],
    'changes what a client sends and nothing else': async (send, world, t) => {
      const token = await (await world.person()).token()
      const { body } = await world.send('getProfile')({ token })
      const before = body.data.user as object
      const received = await send({ token, json: { name: 'نورة', city_id: 2 } })
      t.same(received.body.data.user, { ...before, name: 'نورة', city_id: 2 })
      return received
    },
    'accepts the media type of merge patches': async (send, world, t) => {
      const token = await (await world.person()).token()
      const received = await send({ token, raw: '{"latitude":-1.5}', type: MERGE_PATCH })
      t.equal(received.body.data.user.latitude, -1.5)
      return received
    },
    'changes what a lawyer sends, and makes the review pending': async (send, world, t) => {
      const { token, person, user } = await completeLawyer(world)
      const { prisma } = world.service.database
      await prisma.lawyerProfile.update({ where: { accountId: person.id }, data: { reviewStatus: 'approved' } })
      const about = await send({ token, json: { about: 'محامٍ.', languages: [40] } })
      t.match(about.body.data.user, { about: 'محامٍ.', languages: [40], review_status: 'approved' })
      const received = await send({ token, json: { first_name: 'خالد', sections: [102], license_no: { 102: '9' } } })
      const expected = { about: 'محامٍ.', languages: [40], first_name: 'خالد', name: 'خالد محمد سعد القحطاني' }
      const changed = { ...expected, sections: [102], license_no: { 102: '9' }, review_status: 'pending' }
      t.same(received.body.data.user, { ...user, ...changed })
      return received
    },
    'clears optional fields, licences and optional files with null': async (send, world, t) => {
      const { token, person, user } = await completeLawyer(world)
      t.match(user, { cv_file: /^\/api/, logo: /^\/api/ })
      const received = await send({
        token,
        json: { third_name: null, sections: null, cv_file: null, company_name: null },
      })
      const name = 'عبدالله محمد القحطاني'
      const cleared = { name, third_name: null, sections: [], license_no: {}, cv_file: null }
      t.same(received.body.data.user, { ...user, ...cleared })
      const { prisma } = world.service.database
      const where = { accountId: person.id, event: 'file_deleted' }
      t.match(await prisma.auditEvent.findMany({ where }), [{ subject: 'cv_file' }])
      await send({ token, json: { cv_file: null } })
      t.equal(await prisma.auditEvent.count({ where }), 1, 'a file that is gone is not deleted again')
      return received
    },
    'accepts a whole profile as it was read': async (send, world, t) => {
      const { token, user } = await completeLawyer(world)
      t.same(await schemaViolations('PatchProfileRequest', user), [])
      const received = await send({ token, json: user })
      t.same(received.body.data.user, user)
      return received
    },
    'ignores fields of the other account type': async (send, world, t) => {
      const token = await (await world.person()).token()
      const json = { about: 5, national_id_image: 'x', longitude: 2 }
      t.same(await schemaViolations('PatchProfileRequest', json), [])
      t.not((await schemaViolations('PatchProfileRequest', { ...json, abuot: 5 })).length, 0)
      const received = await send({ token, json })
      t.match(received.body.data.user, { longitude: 2, account_type: 'client' })
      return received
    },
    'changes the account type with what the new type lacks': async (send, world, t) => {
      const { token, user } = await completeLawyer(world)
      const lawyerFiles = { national_id_image: null, degree_certificate: null, cv_file: null, logo: null }
      const client = await send({ token, json: { account_type: 'client', first_name: null, ...lawyerFiles } })
      t.match(client.body.data.user, { account_type: 'client', name: user['name'] })
      const lacking = await send({ token, json: { account_type: 'lawyer' } })
      t.equal(lacking.status, 422, 'the client form has no lawyer data')
      const { profile_photo: _, ...form } = user
      const received = await send({ token, json: form })
      t.same(received.body.data.user, user)
      return received
    },
    'changes to a Saudi number with its code, and to a pending e-mail address': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const phone = world.newPhone()
      const otp = await codeFor(world, phone)
      const changed = await send({ token, json: { phone, otp } })
      t.match(changed.body.data.user, { phone: phone.slice(1), phone_verified: true })
      const received = await send({ token, json: { email: `new-${person.email}` } })
      t.match(received.body.data.user, { email: person.email, pending_email: `new-${person.email}` })
      const same = await send({ token, json: { longitude: 3 } })
      t.match(same.body.data.user, { pending_email: `new-${person.email}` }, 'other changes do not cancel it')
      return received
    },
    'sets a new password and revokes the other sessions': async (send, world, t) => {
      const person = await world.person()
      const [other, token] = [await person.token(), await person.token()]
      const received = await send({ token, json: { password: 'olive-harbour-58-lantern' } })
      t.equal((await world.send('checkToken')({ token: other })).headers['error-code'], 'token_revoked')
      t.equal((await send({ token, json: { password: PASSWORD } })).status, 200, 'the session keeps its authentication')
      return received
    },
    'records the change once and sends one event': async (send, world, t) => {
      const person = await world.person()
      const received = await send({ token: await person.token(), json: { longitude: 5 } })
      const { prisma } = world.service.database
      const where = { accountId: person.id, event: 'profile_updated' }
      t.equal(await prisma.auditEvent.count({ where }), 1)
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: tokens[401],
  403: stale[403],
  412: versions[412],
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'rejects an unknown account type, and validates the fields that all types share': rejectsPatch(
      { account_type: ['not_allowed'], gender: ['not_allowed'] },
      { account_type: 'judge', gender: 'x', degree: {}, license_no: 7 },
    ),
    'rejects null for required fields, and unknown fields': rejectsPatch(
      { about: ['required'], city_id: ['required'], nickname: ['unknown_field'] },
      { about: null, city_id: null, nickname: null },
    ),
    'lists at most 100 fields, unknown ones last': async (send, world, t) => {
      const token = await (await world.person()).token()
      const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, index]))
      const received = await send({ token, json: { ...unknown, gender: 'x', country_id: 99999 } })
      const { codes } = received.body.data as { codes: Record<string, string[]> }
      t.match(codes, { gender: ['not_allowed'], country_id: [/^/] })
      t.equal(Object.keys(codes).length, 100)
      return received
    },
    'rejects wrong types, and null for a code or a password': rejectsPatch(
      { longitude: ['wrong_type'], languages: ['wrong_type'], otp: ['wrong_type'], password: ['wrong_type'] },
      { longitude: '1', languages: 8, otp: null, password: null },
    ),
    'rejects licences that do not match the sections': rejectsPatch(
      { 'license_no.101': ['unknown_field'], 'license_no.102': ['required'] },
      { sections: [102] },
    ),
    'merges no maps': rejectsPatch(
      { 'license_no.101': ['required'] },
      { sections: [101, 102], license_no: { 102: '9' } },
    ),
    'rejects what the conditions of the form require': rejectsPatch(
      { company_name: ['required'], company_licences_no: ['required'], company_license_file: ['required'] },
      { type: 3 },
    ),
    'rejects a change of a proof without a new file': rejectsPatch(
      { national_id_image: ['required'] },
      { national_id: '1099999995' },
    ),
    'rejects the deletion of a required file, and content in place of a file': rejectsPatch(
      { national_id_image: ['not_allowed'], logo: ['file_link_unknown'], cv_file: ['wrong_type'] },
      { national_id_image: null, logo: 'data:image/png;base64,AAAA', cv_file: 7 },
    ),
    'rejects the link of another file, and a link where there is no file': async (send, world, t) => {
      const { token, user } = await completeLawyer(world)
      const link = String(user['logo'])
      t.equal((await send({ token, json: { logo: link } })).status, 200)
      t.equal((await send({ token, json: { logo: link.replace(/\?.*/, '') } })).status, 200, 'without its query')
      const received = await send({ token, json: { cv_file: link, profile_photo: link } })
      t.same(received.body.data.codes, { cv_file: ['file_link_unknown'], profile_photo: ['file_link_unknown'] })
      return received
    },
    'rejects a city of another region': rejectsPatch({ city_id: ['wrong_parent'] }, { region_id: 2 }),
    'rejects an incomplete profile until all required fields are sent': async (send, world, t) => {
      const token = await (await world.person({ accountType: 'lawyer' })).token()
      const received = await send({ token, json: { about: 'محامٍ.' } })
      const { codes } = received.body.data as { codes: Record<string, string[]> }
      t.match(codes, { national_id: ['required'], degree: ['required'], national_id_image: ['required'] })
      t.notOk(codes['about'])
      return received
    },
    'requires a code for a new Saudi number': async (send, world, t) => {
      const received = await send({ token: await (await world.person()).token(), json: { phone: world.newPhone() } })
      t.same(received.body.data.codes, { otp: ['required'] })
      return received
    },
    'rejects taken values': async (send, world, t) => {
      const other = await world.person()
      const json = { email: other.email, phone: other.phone }
      const received = await send({ token: await (await world.person()).token(), json })
      t.same(received.body.data.codes, { email: ['email_taken'], phone: ['phone_taken'] })
      return received
    },
    'rejects bodies that are not objects': async (send, world, t) => {
      const token = await (await world.person()).token()
      const received = await send({ token, raw: '[]', type: MERGE_PATCH })
      t.same(received.body.data.codes, { body: ['wrong_type'] })
      return received
    },
  },
  429: {
    ...tokens[429],
    'rejects the right code after five wrong ones': async (send, world, t) => {
      const person = await world.person()
      const [phone, token] = [world.newPhone(), await person.token()]
      const otp = await codeFor(world, phone)
      const wrong = otp === '000000' ? '000001' : '000000'
      for (let tries = 0; tries < 5; tries++)
        t.same((await send({ token, json: { phone, otp: wrong } })).body.data.codes, { otp: ['otp_wrong'] })
      const received = await send({ token, json: { phone, otp } })
      t.equal(received.headers['error-code'], 'otp_tries_exhausted')
      const form = clientForm({ ...person, phone }, { otp })
      const put = await world.send('updateProfile')({ token, form })
      t.equal(put.status, 429, 'the tries count for both operations')
      return received
    },
  },
  500: common[500],
  503: common[503],
})
