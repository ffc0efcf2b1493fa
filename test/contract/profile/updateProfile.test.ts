import { commonCases, staleSessionCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract, type Case } from '../../support/cases/contract.ts'
import { clientForm, lawyerForm, picture } from '../../support/accounts/profile-forms.ts'
import { versionCases } from '../../support/cases/version-cases.ts'
import type { Form } from '../../support/service/sender.ts'
import { openService } from '../../support/service/service.ts'
import { LONG_PASSWORD, openWorld, type Person, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000

async function clientRequest(world: World): Promise<{ token: string; form: Form }> {
  const person = await world.person()
  return { token: await person.token(), form: clientForm(person) }
}

const common = commonCases('updateProfile', clientRequest, 'store')
const versions = versionCases((person, longitude) => ({ form: clientForm(person, { longitude: String(longitude) }) }))
const tokens = tokenCases((_world, person) => ({ form: clientForm(person) }))

/** Returns a case that sends an invalid form and expects error codes. */
function rejectsForm(codes: Record<string, string[]>, formOf: (person: Person) => Form): Case {
  return async (send, world, t) => {
    const person = await world.person()
    const received = await send({ token: await person.token(), form: formOf(person) })
    t.same(received.body.data?.codes, codes)
    return received
  }
}

/** Sends a code to a new number and returns it. */
async function codeFor(world: World, phone: string): Promise<string> {
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  return world.codesTo(phone)[0] ?? ''
}

contract('updateProfile', {
  200: {
    ...versions[200],
    'updates a client and returns the same body as getProfile': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const form = clientForm(person, { name: 'نورة 😀 Ün', city_id: '2', longitude: '-0.5' })
      const received = await send({ token, form })
      const user: unknown = received.body.data.user
      t.match(user, { id: person.id, name: 'نورة 😀 Ün', city_id: 2, longitude: -0.5, account_type: 'client' })
      const { body } = await world.send('getProfile')({ token })
      t.same(body.data.user, user)
      return received
    },
    'converts a client to a lawyer and back without losing lawyer data': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const lists = { sections: ['101', '102'], 'license_no[101]': '38/1', 'license_no[102]': '39/2' }
      const lawyer = await send({ token, form: lawyerForm(person, { ...lists, third_name: 'سعد' }) })
      t.match(lawyer.body.data.user, {
        account_type: 'lawyer',
        name: 'عبدالله محمد سعد القحطاني',
        third_name: 'سعد',
        day: 17,
        languages: [8, 40],
        sections: [101, 102],
        license_no: { 101: '38/1', 102: '39/2' },
        review_status: 'pending',
      })
      const client = await send({ token, form: clientForm(person) })
      t.equal(client.body.data.user.account_type, 'client')
      const again = await send({ token, form: lawyerForm(person) })
      t.same(again.body.data.user.license_no, { 101: '38/1', 102: '39/2' }, 'the lawyer data was preserved')
      return again
    },
    'preserves omitted optional fields and clears empty ones': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const first = { third_name: 'سعد', sections: '[101]', license_no: '{"101":"38/1"}', company_name: 'مكتب' }
      await send({ token, form: lawyerForm(person, first) })
      const stored = await send({ token, form: lawyerForm(person) })
      t.match(stored.body.data.user, { third_name: 'سعد', sections: [101], company_name: 'مكتب' })
      const received = await send({
        token,
        form: lawyerForm(person, { third_name: '', sections: '', company_name: '' }),
      })
      t.match(received.body.data.user, { third_name: null, sections: [], license_no: {}, company_name: null })
      return received
    },
    'accepts an implausible national ID by default': async (send, world, t) => {
      const person = await world.person()
      const form = lawyerForm(person, { national_id: '1012345678' })
      const received = await send({ token: await person.token(), form })
      t.equal(received.body.data.user.national_id, '1012345678')
      return received
    },
    'accepts digits of other scripts': async (send, world, t) => {
      const person = await world.person()
      const form = lawyerForm(person, {
        day: '١٧',
        year: '۱۹۸۸',
        national_id: '١٠١٢٣٤٥٦٧٢',
        phone_code: '٩٦٦',
        city_id: '١',
      })
      const received = await send({ token: await person.token(), form })
      t.match(received.body.data.user, { day: 17, year: 1988, national_id: '1012345672', city_id: 1 })
      return received
    },
    'changes to a Saudi number with its code': async (send, world, t) => {
      const person = await world.person()
      const phone = world.newPhone()
      const token = await person.token()
      const otp = await codeFor(world, phone)
      const received = await send({ token, form: clientForm({ ...person, phone }, { otp }) })
      t.match(received.body.data.user, { phone: phone.slice(1), phone_verified: true })
      return received
    },
    'changes to a number whose code was confirmed before': async (send, world) => {
      const person = await world.person()
      const phone = world.newPhone()
      const otp = await codeFor(world, phone)
      await world.send('confirmPhone')({ form: { phone_code: '966', phone, otp } })
      world.wait(9 * MINUTE_MS)
      return send({ token: await person.token(), form: clientForm({ ...person, phone }, { otp }) })
    },
    'accepts the current number in another notation without a code': async (send, world, t) => {
      const person = await world.person()
      const phone = `00966 ${person.phone.slice(1, 3)}-${person.phone.slice(3)}`
      const received = await send({ token: await person.token(), form: clientForm({ ...person, phone }) })
      t.equal(received.body.data.user.phone_verified, true)
      return received
    },
    'changes to a number of another country without verifying it': async (send, world, t) => {
      const person = await world.person()
      const form = clientForm({ ...person, phone: `0100${person.phone.slice(3)}` }, { phone_code: '20' })
      const received = await send({ token: await person.token(), form })
      t.match(received.body.data.user, { phone_code: '20', phone_verified: false })
      return received
    },
    'changes the password and ends all other sessions': async (send, world, t) => {
      const person = await world.person()
      const [token, other] = [await person.token(), await person.token()]
      const received = await send({ token, form: clientForm(person, { password: 'a new horse staple' }) })
      const check = world.send('checkToken')
      t.equal((await check({ token })).status, 200)
      t.equal((await check({ token: other })).status, 401)
      const login = await world.send('login')({ json: { email: person.email, password: 'a new horse staple' } })
      t.equal(login.status, 200)
      return received
    },
    'accepts a password of more than 72 bytes': async (send, world, t) => {
      const person = await world.person()
      const received = await send({
        token: await person.token(),
        form: clientForm(person, { password: LONG_PASSWORD }),
      })
      const login = await world.send('login')({ json: { email: person.email, password: LONG_PASSWORD } })
      t.equal(login.status, 200)
      return received
    },
    'ignores the fields of a lawyer for a client': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      await send({ token, form: lawyerForm(person, { sections: ['101'], 'license_no[101]': '38/1' }) })
      const before = await world.service.database.prisma.lawyerProfile.findUnique({ where: { accountId: person.id } })
      const others = {
        first_name: ['x', 'y'],
        degree: 'none',
        languages: ['a'],
        'sections[]': ['7'],
        'license_no[7]': '1',
        license_no: new Blob(['{"7":[]}'], { type: 'application/json' }),
        national_id_image: new Blob(['no image']),
        cv_file: 'x',
        about: picture(),
      }
      const form = clientForm(person, others)
      const received = await send({ token, form })
      const after = await world.service.database.prisma.lawyerProfile.findUnique({ where: { accountId: person.id } })
      t.same(after, before)
      return received
    },
    'ignores the fields of a client and read-only fields for a lawyer': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const readOnly = {
        id: '1',
        name: '\u0000',
        phone_verified: 'false',
        profile_complete: 'maybe',
        deletion_due_at: '2020-01-01T00:00:00Z',
        review_status: 'approved',
        review_reason: picture(),
      }
      const received = await send({ token, form: lawyerForm(person, readOnly) })
      t.match(received.body.data.user, {
        id: person.id,
        name: 'عبدالله محمد القحطاني',
        phone_verified: true,
        deletion_due_at: null,
        review_status: 'pending',
        review_reason: null,
      })
      return received
    },
    'does not store a name for a listed degree': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const named = await send({ token, form: lawyerForm(person, { degree: '4', other_degree: 'زمالة' }) })
      t.equal(named.body.data.user.other_degree, 'زمالة')
      const received = await send({ token, form: lawyerForm(person, { other_degree: 'زمالة' }) })
      t.match(received.body.data.user, { degree: 1, other_degree: null })
      return received
    },
    'normalizes line endings to line feeds': async (send, world, t) => {
      const person = await world.person()
      const form = lawyerForm(person, { about: 'a\nb\r\nc' })
      const received = await send({ token: await person.token(), form })
      t.equal(received.body.data.user.about, 'a\nb\nc')
      return received
    },
    'ignores the case of the e-mail address and spaces around it': async (send, world, t) => {
      const person = await world.person()
      const form = clientForm({ ...person, email: ` ${person.email.toUpperCase()} ` })
      const received = await send({ token: await person.token(), form })
      t.equal(received.body.data.user.email, person.email)
      return received
    },
  },
  400: {
    ...common[400],
    'rejects a form without a boundary': async (send, world, t) => {
      const received = await send({ token: (await clientRequest(world)).token, raw: 'x', type: 'multipart/form-data' })
      t.equal(received.headers['error-code'], 'multipart_boundary_missing')
      t.match(received.body.message, /boundary/)
      return received
    },
    'rejects a truncated form': async (send, world) => {
      const raw = '--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na@b.c'
      return send({ token: (await clientRequest(world)).token, raw, type: 'multipart/form-data; boundary=b' })
    },
  },
  401: {
    ...tokens[401],
    'rejects a form without a token': async (send, world) => send({ form: (await clientRequest(world)).form }),
  },
  ...staleSessionCases((_world, person) => ({ form: clientForm({ ...person, email: `new-${person.email}` }) })),
  412: versions[412],
  413: {
    'rejects a text field over the size limit': async (send, world) => {
      const { token, form } = await clientRequest(world)
      return send({ token, form: { ...form, name: 'x'.repeat(70_000) } })
    },
  },
  415: {
    'rejects JSON': async (send, world) => {
      const { token, form } = await clientRequest(world)
      return send({ token, json: form })
    },
    'rejects a request without a body': async (send, world) => send({ token: (await clientRequest(world)).token }),
  },
  422: {
    'rejects an implausible national ID if configured as strict': async (_send, _world, t) => {
      const service = await openService({ config: { nationalIdCheck: 'strict' } })
      t.teardown(() => service.close())
      const world = await openWorld(service)
      const send = world.send('updateProfile')
      const person = await world.person({ accountType: 'lawyer' })
      const token = await person.token()
      const codesOf = async (more: Form): Promise<unknown> =>
        (await send({ token, form: lawyerForm(person, more) })).body.data.codes
      const implausible = { national_id: ['national_id_implausible'] }
      t.same(await codesOf({ national_id: '1012345678' }), implausible)
      t.same(await codesOf({ national_id: '١٠١٢٣٤٥٦٧٨' }), implausible)
      t.same(await codesOf({ identity_type: '3' }), implausible)
      t.same(await codesOf({ national_id: '1012345678', city_id: '50' }), { ...implausible, city_id: ['wrong_parent'] })
      const noType = { national_id: '1012345678', identity_type: '4' }
      t.same(await codesOf(noType), { identity_type: ['not_allowed'] }, 'without an identity type it is not checked')
      t.equal((await send({ token, form: lawyerForm(person) })).status, 200)

      const where = { accountId: person.id }
      const { prisma } = service.database
      await prisma.lawyerProfile.update({ where, data: { nationalId: '1012345678' } })
      const resent = { token, form: lawyerForm(person, { national_id: '١٠١٢٣٤٥٦٧٨' }) }
      t.equal((await send(resent)).status, 200, 'the stored number is still accepted')
      const received = await send({
        token,
        form: lawyerForm(person, { national_id: '1012345678', identity_type: '3' }),
        language: 'ar',
      })
      t.same(received.body.data.codes, implausible, 'not with another identity type')
      t.same(received.body.data.errors.national_id, ['هذا الرقم لا يطابق نوع الهوية المختار. تحقق من الأرقام.'])
      return received
    },
    'rejects an unknown account type': rejectsForm({ account_type: ['not_allowed'] }, (person) =>
      clientForm(person, { account_type: 'judge' }),
    ),
    'reports files over their size limits together with other invalid fields': async (send, world, t) => {
      const { token, form } = await clientRequest(world)
      const profile_photo = new Blob([new Uint8Array(5 * 1024 * 1024 + 1)])
      const sent = { token, form: { ...form, city_id: '50', latitude: 'x', profile_photo } }
      const { body } = await send({ ...sent, language: 'ar' })
      t.same(body.data.errors.profile_photo, ['يجب ألا يزيد حجم الملف على 5 ميغابايت.'])
      const received = await send(sent)
      t.same(received.body.data.codes, {
        profile_photo: ['file_too_large'],
        latitude: ['wrong_type'],
        city_id: ['wrong_parent'],
      })
      t.same(received.body.data.errors.profile_photo, ['The file must not exceed 5 MB.'])
      return received
    },
    'reports a file over its size limit together with an unknown account type': async (send, world, t) => {
      const { token, form } = await clientRequest(world)
      const profile_photo = new Blob([new Uint8Array(5 * 1024 * 1024 + 1)])
      const received = await send({ token, form: { ...form, account_type: 'judge', profile_photo } })
      t.match(received.body.data.codes, { account_type: ['not_allowed'], profile_photo: ['file_too_large'] })
      return received
    },
    'reports an unknown account type together with a repeated e-mail address': rejectsForm(
      { account_type: ['not_allowed'], email: ['wrong_type'], gender: ['required'], nickname: ['unknown_field'] },
      (person) =>
        clientForm(person, { account_type: 'zzz', email: ['a@b.co', 'b@b.co'], gender: '', nickname: 'x', about: 'y' }),
    ),
    'reports a missing account type together with invalid common fields': async (send, world, t) => {
      const [person, other] = [await world.person(), await world.person()]
      const { account_type: _type, ...form } = clientForm(other, { password: 'password', type: '9', city_id: 'x' })
      const received = await send({ token: await person.token(), form })
      t.same(received.body.data.codes, {
        account_type: ['required'],
        type: ['not_allowed'],
        city_id: ['wrong_type'],
        email: ['email_taken'],
        phone: ['phone_taken'],
        password: ['password_common'],
      })
      return received
    },
    'rejects control characters and invisible text': rejectsForm(
      {
        first_name: ['wrong_format'],
        second_name: ['wrong_format'],
        about: ['wrong_format'],
        third_name: ['wrong_format'],
      },
      (person) =>
        lawyerForm(person, {
          first_name: 'فهد\u0085',
          second_name: '\u200D\u200C\u2060',
          third_name: '\u2800',
          about: '\u0301\uFE0F',
        }),
    ),
    'rejects a field of neither account type': rejectsForm(
      { 'first_name[0]': ['unknown_field'], nickname: ['unknown_field'] },
      (person) => clientForm(person, { nickname: 'x', 'first_name[0]': 'x' }),
    ),
    'reports all invalid fields at once': rejectsForm(
      {
        name: ['required'],
        longitude: ['too_large'],
        gender: ['not_allowed'],
        city_id: ['wrong_parent'],
        nationality_id: ['unknown_id'],
        phone: ['phone_invalid'],
        password: ['password_common'],
      },
      (person) =>
        clientForm(
          { ...person, phone: '123' },
          { name: '', longitude: '180.5', gender: 'x', city_id: '50', nationality_id: '9999', password: 'password' },
        ),
    ),
    'rejects invalid numbers': rejectsForm(
      { type: ['wrong_type'], longitude: ['wrong_type'], latitude: ['wrong_type'], country_id: ['wrong_type'] },
      (person) => clientForm(person, { type: '1e0', longitude: '0x10', latitude: 'NaN', country_id: '1.5' }),
    ),
    'rejects a repeated scalar field': rejectsForm({ name: ['wrong_type'] }, (person) =>
      clientForm(person, { name: ['سارة', 'نورة'] }),
    ),
    'rejects a region of another country and a city of another region': rejectsForm(
      { region_id: ['wrong_parent'], city_id: ['wrong_parent'] },
      (person) => clientForm(person, { country_id: '818', region_id: '1', city_id: '50' }),
    ),
    'rejects the e-mail address and phone number of another user': async (send, world, t) => {
      const [person, other] = [await world.person(), await world.person()]
      const received = await send({ token: await person.token(), form: clientForm(other) })
      t.same(received.body.data.codes, { email: ['email_taken'], phone: ['phone_taken'] })
      return received
    },
    'rejects a Saudi number without a code': async (send, world, t) => {
      const person = await world.person()
      const received = await send({
        token: await person.token(),
        form: clientForm({ ...person, phone: world.newPhone() }),
      })
      t.same(received.body.data.codes, { otp: ['required'] })
      return received
    },
    'rejects a code that has already changed a number': async (send, world, t) => {
      const [person, other] = [await world.person(), await world.person()]
      const [phone, token] = [world.newPhone(), await person.token()]
      const otp = await codeFor(world, phone)
      t.equal((await send({ token, form: clientForm({ ...person, phone }, { otp }) })).status, 200)
      const foreign = clientForm({ ...person, phone: '01012345678' }, { phone_code: '20' })
      t.equal((await send({ token, form: foreign })).status, 200, 'the number is free again')
      const received = await send({ token: await other.token(), form: clientForm({ ...other, phone }, { otp }) })
      t.same(received.body.data.codes, { otp: ['otp_wrong'] })
      return received
    },
    'rejects a code that was confirmed more than ten minutes ago': async (send, world, t) => {
      const person = await world.person()
      const phone = world.newPhone()
      const otp = await codeFor(world, phone)
      await world.send('confirmPhone')({ form: { phone_code: '966', phone, otp } })
      world.wait(10 * MINUTE_MS)
      const received = await send({ token: await person.token(), form: clientForm({ ...person, phone }, { otp }) })
      t.same(received.body.data.codes, { otp: ['otp_wrong'] })
      return received
    },
    'rejects a password that is the e-mail address, guessable or too long': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const same = await send({ token, form: clientForm(person, { password: person.email.toUpperCase() }) })
      t.same(same.body.data.codes, { password: ['password_is_email'] })
      for (const password of ['سارةالعتيبي', 'Khalid1990', `${person.phone}a`]) {
        const guessable = await send({ token, form: clientForm(person, { password }) })
        t.same(guessable.body.data.codes, { password: ['password_guessable'] }, password)
      }
      const received = await send({ token, form: clientForm(person, { password: 'ﷺ'.repeat(20) }) })
      t.same(received.body.data.codes, { password: ['password_too_long'] })
      return received
    },
    'rejects a date that does not exist': rejectsForm({ day: ['date_unreal'] }, (person) =>
      lawyerForm(person, { day: '30', month: '2' }),
    ),
    'rejects a year of the Hijri calendar': rejectsForm({ year: ['date_not_gregorian'] }, (person) =>
      lawyerForm(person, { year: '1408' }),
    ),
    'rejects a lawyer who is too young': rejectsForm({ year: ['age_not_allowed'] }, (person) =>
      lawyerForm(person, { year: '2020' }),
    ),
    'rejects licences that do not match the sections': rejectsForm(
      { 'license_no.102': ['required'], 'license_no.103': ['unknown_field'] },
      (person) => lawyerForm(person, { sections: ['101', '102'], license_no: '{"101":"1","103":"3"}' }),
    ),
    'rejects sections without licences and an unknown section': rejectsForm(
      { license_no: ['required'], sections: ['unknown_id'] },
      (person) => lawyerForm(person, { sections: '[101,999999]' }),
    ),
    'rejects an unlisted degree without its name': rejectsForm({ other_degree: ['required'] }, (person) =>
      lawyerForm(person, { degree: '4' }),
    ),
    'rejects a company without its required fields': rejectsForm(
      { company_name: ['required'], company_licences_no: ['required'], company_license_file: ['required'] },
      (person) => lawyerForm(person, { type: '3', company_name: '' }),
    ),
    'rejects a specialty of another general specialty': rejectsForm(
      { accurate_specialty: ['wrong_parent'] },
      (person) => lawyerForm(person, { general_specialty: '2' }),
    ),
    'rejects text in place of a file': rejectsForm({ profile_photo: ['file_type_not_allowed'] }, (person) =>
      clientForm(person, { profile_photo: 'x' }),
    ),
    'rejects a foreign or invalid link in place of a file': rejectsForm(
      Object.fromEntries(['profile_photo', 'logo', 'cv_file'].map((name) => [name, ['file_type_not_allowed']])),
      (person) =>
        lawyerForm(person, {
          profile_photo: 'https://example.org/api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55',
          logo: '/api/v1/files/1',
          cv_file: '/api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55/../x',
        }),
    ),
    'rejects a link in place of a file that must be new': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const { body } = await send({ token, form: lawyerForm(person) })
      const { national_id_image } = body.data.user as { national_id_image: string }
      const received = await send({ token, form: lawyerForm(person, { national_id: '1099999995', national_id_image }) })
      t.same(received.body.data.codes, { national_id_image: ['required'] })
      return received
    },
    'rejects a file in place of text': rejectsForm({ name: ['wrong_type'] }, (person) =>
      clientForm(person, { name: picture() }),
    ),
    'rejects an inactive choice unless it is already stored': async (send, world, t) => {
      const { prisma } = world.service.database
      const { lookups } = world.service.app.context
      const person = await world.person()
      const token = await person.token()
      await prisma.city.updateMany({ where: { id: { in: [1, 3] } }, data: { active: false } })
      await lookups.refresh()
      const stored = await send({ token, form: clientForm(person, { city_id: '1' }) })
      const received = await send({ token, form: clientForm(person, { city_id: '3' }) })
      await prisma.city.updateMany({ where: { id: { in: [1, 3] } }, data: { active: true } })
      await lookups.refresh()
      t.equal(stored.status, 200, 'a stored choice is still accepted')
      t.same(received.body.data.codes, { city_id: ['inactive_id'] })
      return received
    },
  },
  429: {
    ...tokens[429],
    'limits attempts with taken values per account': async (send, world, t) => {
      const [person, other] = [await world.person(), await world.person()]
      const token = await person.token()
      const form = clientForm({ ...person, email: other.email })
      const responses = await Promise.all(
        Array.from({ length: 80 }, (_, at) =>
          send({ token, form, headers: { 'x-forwarded-for': `192.0.2.${at % 4}` } }),
        ),
      )
      const disclosed = responses.filter(({ body }) => body.data?.codes?.email?.[0] === 'email_taken')
      t.equal(disclosed.length, 60, 'the limit per account applies across networks')
      const received = await send({ token, form })
      t.equal(received.headers['error-code'], 'rate_limited')
      t.equal((await send({ token, form: clientForm(person) })).status, 200, 'other updates are not affected')
      const events = await world.service.database.prisma.auditEvent.findMany({ where: { accountId: person.id } })
      t.equal(events.filter(({ event }) => event === 'taken_limited').length, 1)
      return received
    },
    'limits attempts with taken values per network across accounts': async (send, world, t) => {
      const [one, two, other] = [await world.person(), await world.person(), await world.person()]
      let rejected = 0
      let last: Awaited<ReturnType<typeof send>> | undefined
      for (const person of [one, two]) {
        const sent = { token: await person.token(), form: clientForm({ ...person, phone: other.phone }) }
        const responses = await Promise.all(Array.from({ length: 40 }, () => send(sent)))
        const limited = responses.filter(({ status }) => status === 429)
        rejected += limited.length
        last = limited.at(-1)
      }
      t.equal(rejected, 20)
      return last ?? send()
    },
    'rejects the right code after five wrong ones': async (send, world, t) => {
      const person = await world.person()
      const [phone, token] = [world.newPhone(), await person.token()]
      const otp = await codeFor(world, phone)
      const wrong = otp === '000000' ? '000001' : '000000'
      const form = clientForm({ ...person, phone }, { otp: wrong })
      for (let tries = 0; tries < 5; tries++)
        t.same((await send({ token, form })).body.data.codes, { otp: ['otp_wrong'] })
      const received = await send({ token, form: { ...form, otp } })
      t.equal(received.headers['error-code'], 'otp_tries_exhausted')
      return received
    },
  },
  500: common[500],
  503: common[503],
})
