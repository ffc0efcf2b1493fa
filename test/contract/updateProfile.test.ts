import { commonStories, staleStories, tokenStories } from '../support/common-stories.ts'
import { contract, type Story } from '../support/contract.ts'
import { clientForm, lawyerForm, picture } from '../support/profile-forms.ts'
import type { Form } from '../support/sender.ts'
import { openService } from '../support/service.ts'
import { LONG_PASSWORD, openWorld, type Person, type World } from '../support/world.ts'

const MINUTE_MS = 60_000

async function clientSends(world: World): Promise<{ token: string; form: Form }> {
  const person = await world.person()
  return { token: await person.token(), form: clientForm(person) }
}

const common = commonStories('updateProfile', clientSends, 'store')
const tokens = tokenStories((_world, person) => ({ form: clientForm(person) }))

/** A form of a client or a lawyer that lacks or has more than it should. */
function refused(codes: Record<string, string[]>, formOf: (person: Person) => Form): Story {
  return async (send, world, t) => {
    const person = await world.person()
    const received = await send({ token: await person.token(), form: formOf(person) })
    t.same(received.body.data?.codes, codes)
    return received
  }
}

/** The code that was sent to a new number of somebody. */
async function codeFor(world: World, phone: string): Promise<string> {
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  return /\d{6}/.exec(world.textsTo(phone)[0] ?? '')?.[0] ?? ''
}

contract('updateProfile', {
  200: {
    'a client, answered like getProfile': async (send, world, t) => {
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
    'a client who becomes a lawyer, and a client again': async (send, world, t) => {
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
      t.same(again.body.data.user.license_no, { 101: '38/1', 102: '39/2' }, 'what a lawyer said was kept')
      return again
    },
    'optional fields that do not come stay, and empty ones are cleared': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const first = { third_name: 'سعد', sections: '[101]', license_no: '{"101":"38/1"}', company_name: 'مكتب' }
      await send({ token, form: lawyerForm(person, first) })
      const kept = await send({ token, form: lawyerForm(person) })
      t.match(kept.body.data.user, { third_name: 'سعد', sections: [101], company_name: 'مكتب' })
      const received = await send({
        token,
        form: lawyerForm(person, { third_name: '', sections: '', company_name: '' }),
      })
      t.match(received.body.data.user, { third_name: null, sections: [], license_no: {}, company_name: null })
      return received
    },
    'an implausible national ID, which reviewers see flagged': async (send, world, t) => {
      const person = await world.person()
      const form = lawyerForm(person, { national_id: '1012345678' })
      const received = await send({ token: await person.token(), form })
      t.equal(received.body.data.user.national_id, '1012345678')
      return received
    },
    'digits of other scripts': async (send, world, t) => {
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
    'a new Saudi number with its code': async (send, world, t) => {
      const person = await world.person()
      const phone = world.newPhone()
      const token = await person.token()
      const otp = await codeFor(world, phone)
      const received = await send({ token, form: clientForm({ ...person, phone }, { otp }) })
      t.match(received.body.data.user, { phone: phone.slice(1), phone_verified: true })
      return received
    },
    'a new number whose code was confirmed before': async (send, world) => {
      const person = await world.person()
      const phone = world.newPhone()
      const otp = await codeFor(world, phone)
      await world.send('confirmPhone')({ form: { phone_code: '966', phone, otp } })
      world.wait(9 * MINUTE_MS)
      return send({ token: await person.token(), form: clientForm({ ...person, phone }, { otp }) })
    },
    'the same number in another format, without a code': async (send, world, t) => {
      const person = await world.person()
      const phone = `00966 ${person.phone.slice(1, 3)}-${person.phone.slice(3)}`
      const received = await send({ token: await person.token(), form: clientForm({ ...person, phone }) })
      t.equal(received.body.data.user.phone_verified, true)
      return received
    },
    'a new number of another country, which is not verified': async (send, world, t) => {
      const person = await world.person()
      const form = clientForm({ ...person, phone: `0100${person.phone.slice(3)}` }, { phone_code: '20' })
      const received = await send({ token: await person.token(), form })
      t.match(received.body.data.user, { phone_code: '20', phone_verified: false })
      return received
    },
    'a new password, which ends all other sessions': async (send, world, t) => {
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
    'a new password of more than 72 bytes': async (send, world, t) => {
      const person = await world.person()
      const received = await send({
        token: await person.token(),
        form: clientForm(person, { password: LONG_PASSWORD }),
      })
      const login = await world.send('login')({ json: { email: person.email, password: LONG_PASSWORD } })
      t.equal(login.status, 200)
      return received
    },
    'a client, with the fields of a lawyer, which are ignored': async (send, world, t) => {
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
    'a lawyer, with the fields of a client and read-only ones, which are ignored': async (send, world, t) => {
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
    'the name of a degree that has one, which is not stored': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const named = await send({ token, form: lawyerForm(person, { degree: '4', other_degree: 'زمالة' }) })
      t.equal(named.body.data.user.other_degree, 'زمالة')
      const received = await send({ token, form: lawyerForm(person, { other_degree: 'زمالة' }) })
      t.match(received.body.data.user, { degree: 1, other_degree: null })
      return received
    },
    'line ends, which are line feeds however they come': async (send, world, t) => {
      const person = await world.person()
      const form = lawyerForm(person, { about: 'a\nb\r\nc' })
      const received = await send({ token: await person.token(), form })
      t.equal(received.body.data.user.about, 'a\nb\nc')
      return received
    },
    'an e-mail address in other letters': async (send, world, t) => {
      const person = await world.person()
      const form = clientForm({ ...person, email: ` ${person.email.toUpperCase()} ` })
      const received = await send({ token: await person.token(), form })
      t.equal(received.body.data.user.email, person.email)
      return received
    },
  },
  400: {
    ...common[400],
    'a form without a boundary': async (send, world, t) => {
      const received = await send({ token: (await clientSends(world)).token, raw: 'x', type: 'multipart/form-data' })
      t.equal(received.headers['error-code'], 'multipart_boundary_missing')
      t.match(received.body.message, /boundary/)
      return received
    },
    'a form that ends too early': async (send, world) => {
      const raw = '--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na@b.c'
      return send({ token: (await clientSends(world)).token, raw, type: 'multipart/form-data; boundary=b' })
    },
  },
  401: {
    ...tokens[401],
    'a form without a token': async (send, world) => send({ form: (await clientSends(world)).form }),
  },
  ...staleStories((_world, person) => ({ form: clientForm({ ...person, email: `new-${person.email}` }) })),
  413: {
    'a text over the limit': async (send, world) => {
      const { token, form } = await clientSends(world)
      return send({ token, form: { ...form, name: 'x'.repeat(70_000) } })
    },
  },
  415: {
    JSON: async (send, world) => {
      const { token, form } = await clientSends(world)
      return send({ token, json: form })
    },
    'no body': async (send, world) => send({ token: (await clientSends(world)).token }),
  },
  422: {
    'an implausible national ID, where the operator refuses them': async (_send, _world, t) => {
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
      t.same(await codesOf(noType), { identity_type: ['not_allowed', 'too_large'] }, 'nothing to judge it by')
      t.equal((await send({ token, form: lawyerForm(person) })).status, 200)

      const where = { accountId: person.id }
      const { prisma } = service.database
      await prisma.lawyerProfile.update({ where, data: { nationalId: '1012345678' } })
      const resent = { token, form: lawyerForm(person, { national_id: '١٠١٢٣٤٥٦٧٨' }) }
      t.equal((await send(resent)).status, 200, 'the stored one stays accepted')
      const received = await send({
        token,
        form: lawyerForm(person, { national_id: '1012345678', identity_type: '3' }),
        language: 'ar',
      })
      t.same(received.body.data.codes, implausible, 'unless it changes its type')
      t.same(received.body.data.errors.national_id, ['هذا الرقم لا يطابق نوع الهوية المختار، تحقق من الأرقام.'])
      return received
    },
    'a kind of account that does not exist': refused({ account_type: ['not_allowed'] }, (person) =>
      clientForm(person, { account_type: 'judge' }),
    ),
    'files over their limits, and everything else that is wrong': async (send, world, t) => {
      const { token, form } = await clientSends(world)
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
      t.same(received.body.data.errors.profile_photo, ['The file must be at most 5 MB.'])
      return received
    },
    'a file over its limit in a form of no kind': async (send, world, t) => {
      const { token, form } = await clientSends(world)
      const profile_photo = new Blob([new Uint8Array(5 * 1024 * 1024 + 1)])
      const received = await send({ token, form: { ...form, account_type: 'judge', profile_photo } })
      t.match(received.body.data.codes, { account_type: ['not_allowed'], profile_photo: ['file_too_large'] })
      return received
    },
    'a wrong kind of account beside an e-mail address that is sent twice': refused(
      { account_type: ['not_allowed'], email: ['wrong_type'], gender: ['required'], nickname: ['unknown_field'] },
      (person) =>
        clientForm(person, { account_type: 'zzz', email: ['a@b.co', 'b@b.co'], gender: '', nickname: 'x', about: 'y' }),
    ),
    'no kind of account, with everything else wrong that both kinds have': async (send, world, t) => {
      const [person, other] = [await world.person(), await world.person()]
      const { account_type: _type, ...form } = clientForm(other, { password: 'password', type: '9', city_id: 'x' })
      const received = await send({ token: await person.token(), form })
      t.same(received.body.data.codes, {
        account_type: ['required'],
        type: ['not_allowed', 'too_large'].sort(),
        city_id: ['wrong_type'],
        email: ['email_taken'],
        phone: ['phone_taken'],
        password: ['password_common'],
      })
      return received
    },
    'controls and texts of nothing visible': refused(
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
    'a field of neither form': refused({ 'first_name[0]': ['unknown_field'], nickname: ['unknown_field'] }, (person) =>
      clientForm(person, { nickname: 'x', 'first_name[0]': 'x' }),
    ),
    'all that is wrong at once, whatever finds it': refused(
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
    'numbers that are none': refused(
      { type: ['wrong_type'], longitude: ['wrong_type'], latitude: ['wrong_type'], country_id: ['wrong_type'] },
      (person) => clientForm(person, { type: '1e0', longitude: '0x10', latitude: 'NaN', country_id: '1.5' }),
    ),
    'a scalar that stands twice': refused({ name: ['wrong_type'] }, (person) =>
      clientForm(person, { name: ['سارة', 'نورة'] }),
    ),
    'a region of another country, a city of another region': refused(
      { region_id: ['wrong_parent'], city_id: ['wrong_parent'] },
      (person) => clientForm(person, { country_id: '818', region_id: '1', city_id: '50' }),
    ),
    'what belongs to somebody else': async (send, world, t) => {
      const [person, other] = [await world.person(), await world.person()]
      const received = await send({ token: await person.token(), form: clientForm(other) })
      t.same(received.body.data.codes, { email: ['email_taken'], phone: ['phone_taken'] })
      return received
    },
    'a new Saudi number without a code': async (send, world, t) => {
      const person = await world.person()
      const received = await send({
        token: await person.token(),
        form: clientForm({ ...person, phone: world.newPhone() }),
      })
      t.same(received.body.data.codes, { otp: ['required'] })
      return received
    },
    'a code that was used': async (send, world, t) => {
      const person = await world.person()
      const [phone, token] = [world.newPhone(), await person.token()]
      const otp = await codeFor(world, phone)
      await send({ token, form: clientForm({ ...person, phone }, { otp }) })
      const form = clientForm({ ...person, phone: world.newPhone() }, { otp })
      const received = await send({ token, form })
      t.same(received.body.data.codes, { otp: ['otp_wrong'] })
      return received
    },
    'a code that was confirmed more than ten minutes ago': async (send, world, t) => {
      const person = await world.person()
      const phone = world.newPhone()
      const otp = await codeFor(world, phone)
      await world.send('confirmPhone')({ form: { phone_code: '966', phone, otp } })
      world.wait(10 * MINUTE_MS)
      const received = await send({ token: await person.token(), form: clientForm({ ...person, phone }, { otp }) })
      t.same(received.body.data.codes, { otp: ['otp_wrong'] })
      return received
    },
    'a password that is the e-mail address, easy to guess, or too long': async (send, world, t) => {
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
    'a day that does not exist': refused({ day: ['date_unreal'] }, (person) =>
      lawyerForm(person, { day: '30', month: '2' }),
    ),
    'a year of the Hijri calendar': refused({ year: ['date_not_gregorian'] }, (person) =>
      lawyerForm(person, { year: '1408' }),
    ),
    'somebody too young': refused({ year: ['age_not_allowed'] }, (person) => lawyerForm(person, { year: '2020' })),
    'licences that are not those of the sections': refused(
      { 'license_no.102': ['required'], 'license_no.103': ['unknown_field'] },
      (person) => lawyerForm(person, { sections: ['101', '102'], license_no: '{"101":"1","103":"3"}' }),
    ),
    'sections without licences, one that does not exist': refused(
      { license_no: ['required'], sections: ['unknown_id'] },
      (person) => lawyerForm(person, { sections: '[101,999999]' }),
    ),
    'another degree without its name': refused({ other_degree: ['required'] }, (person) =>
      lawyerForm(person, { degree: '4' }),
    ),
    'a company without what a company has': refused(
      { company_name: ['required'], company_licences_no: ['required'], company_license_file: ['required'] },
      (person) => lawyerForm(person, { type: '3', company_name: '' }),
    ),
    'a specialty of another one': refused({ accurate_specialty: ['wrong_parent'] }, (person) =>
      lawyerForm(person, { general_specialty: '2' }),
    ),
    'a text in place of a file': refused({ profile_photo: ['wrong_type'] }, (person) =>
      clientForm(person, { profile_photo: 'x' }),
    ),
    'a link that is none of ours in place of a file': refused(
      { profile_photo: ['wrong_type'], logo: ['wrong_type'], cv_file: ['wrong_type'] },
      (person) =>
        lawyerForm(person, {
          profile_photo: 'https://example.org/api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55',
          logo: '/api/v1/files/1',
          cv_file: '/api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55/../x',
        }),
    ),
    'a link in place of a file that has to be a new one': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const { body } = await send({ token, form: lawyerForm(person) })
      const { national_id_image } = body.data.user as { national_id_image: string }
      const received = await send({ token, form: lawyerForm(person, { national_id: '1099999995', national_id_image }) })
      t.same(received.body.data.codes, { national_id_image: ['required'] })
      return received
    },
    'a file in place of a text': refused({ name: ['wrong_type'] }, (person) => clientForm(person, { name: picture() })),
    'a choice that may not be made any more': async (send, world, t) => {
      const { prisma } = world.service.database
      const { lookups } = world.service.app.context
      const person = await world.person()
      const token = await person.token()
      await prisma.city.updateMany({ where: { id: { in: [1, 3] } }, data: { active: false } })
      await lookups.refresh()
      const kept = await send({ token, form: clientForm(person, { city_id: '1' }) })
      const received = await send({ token, form: clientForm(person, { city_id: '3' }) })
      await prisma.city.updateMany({ where: { id: { in: [1, 3] } }, data: { active: true } })
      await lookups.refresh()
      t.equal(kept.status, 200, 'what was chosen before stays')
      t.same(received.body.data.codes, { city_id: ['inactive_id'] })
      return received
    },
  },
  429: {
    ...tokens[429],
    'many that are taken': async (send, world, t) => {
      const [person, other] = [await world.person(), await world.person()]
      const token = await person.token()
      const form = clientForm({ ...person, email: other.email })
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, at) =>
          send({ token, form, headers: { 'x-forwarded-for': `192.0.2.${at % 4}` } }),
        ),
      )
      const told = answers.filter(({ body }) => body.data?.codes?.email?.[0] === 'email_taken')
      t.equal(told.length, 60, 'what an account can find out is bounded, over all networks')
      const received = await send({ token, form })
      t.equal(received.headers['error-code'], 'rate_limited')
      t.equal((await send({ token, form: clientForm(person) })).status, 200, 'updates of other fields go on')
      const events = await world.service.database.prisma.auditEvent.findMany({ where: { accountId: person.id } })
      t.equal(events.filter(({ event }) => event === 'taken_limited').length, 1)
      return received
    },
    'many that are taken, by several accounts of one network': async (send, world, t) => {
      const [one, two, other] = [await world.person(), await world.person(), await world.person()]
      let refused = 0
      let last: Awaited<ReturnType<typeof send>> | undefined
      for (const person of [one, two]) {
        const sent = { token: await person.token(), form: clientForm({ ...person, phone: other.phone }) }
        const answers = await Promise.all(Array.from({ length: 40 }, () => send(sent)))
        const limited = answers.filter(({ status }) => status === 429)
        refused += limited.length
        last = limited.at(-1)
      }
      t.equal(refused, 20)
      return last ?? send()
    },
    'wrong codes for a new number': async (send, world, t) => {
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
