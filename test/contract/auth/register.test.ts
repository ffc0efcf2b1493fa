import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { idempotencyCases, withKey } from '../../support/cases/idempotency-cases.ts'
import {
  clientRegistration,
  lawyerRegistration,
  NEW_PASSWORD,
  saudiNumber,
} from '../../support/accounts/registrations.ts'
import { LONG_PASSWORD, tokensIn } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000

const common = commonCases('register', () => ({ json: clientRegistration() }), 'phoneNumbers')
const body = bodyCases(clientRegistration())
const once = idempotencyCases(async () => {
  const json = clientRegistration()
  return { sent: { json }, other: { json: { ...json, name: 'ريم الحربي' } } }
})

contract('register', {
  201: {
    ...once.success,
    'registers a client and logs them in': async (send, world, t) => {
      const form = clientRegistration()
      const received = await send({ form })
      const { token } = tokensIn(received)
      const { body } = await world.send('getProfile')({ token })
      t.match(body.data.user, {
        name: 'نوف الشهري',
        email: form['email'],
        phone: form['phone']?.slice(1),
        phone_verified: false,
        account_type: 'client',
        gender: null,
        country_id: null,
        type: null,
        longitude: null,
        profile_photo: null,
        profile_complete: false,
      })
      const login = await world.send('login')({ json: { email: form['email'], password: NEW_PASSWORD } })
      t.equal(login.status, 200)
      return received
    },
    'accepts a password of more than 72 bytes and compares all of it': async (send, world, t) => {
      const form = clientRegistration({ password: LONG_PASSWORD })
      const received = await send({ json: form })
      const logIn = async (password: string): Promise<number> =>
        (await world.send('login')({ json: { email: form['email'], password } })).status
      t.same([await logIn(LONG_PASSWORD), await logIn(LONG_PASSWORD.slice(0, -1))], [200, 401])
      return received
    },
    'accepts a password of more than 64 characters': (send) =>
      send({ json: clientRegistration({ password: `${LONG_PASSWORD} ${LONG_PASSWORD}` }) }),
    'registers a lawyer with only their names': async (send, world, t) => {
      const received = await send({ json: lawyerRegistration({ third_name: '' }) })
      const { body } = await world.send('getProfile')({ token: tokensIn(received).token })
      t.match(body.data.user, {
        name: 'فهد سالم الدوسري',
        first_name: 'فهد',
        third_name: null,
        fourth_name: 'الدوسري',
        about: null,
        day: null,
        languages: [],
        license_no: {},
        review_status: 'pending',
        profile_complete: false,
      })
      return received
    },
    'leaves a number, which it does not verify, to the account that it recovers': async (send, world, t) => {
      const form = clientRegistration()
      const phone = `+20${form['phone']?.slice(1)}`
      const former = { phone, phoneCode: '20', accountId: (await world.person()).id, verifiedAt: new Date() }
      const { formerPhone } = world.service.database.prisma
      await formerPhone.create({ data: { ...former, recoversUntil: new Date(Date.now() + HOUR_MS) } })
      const received = await send({ form })
      t.equal(await formerPhone.count({ where: { phone } }), 1)
      return received
    },
    'registers a Saudi number with its code': async (send, world, t) => {
      const received = await send({ json: clientRegistration(await saudiNumber(world)) })
      const { body } = await world.send('getProfile')({ token: tokensIn(received).token })
      t.match(body.data.user, { phone_code: '966', phone_verified: true })
      return received
    },
    'accepts a confirmed code in Arabic-Indic digits': async (send, world) => {
      const number = await saudiNumber(world)
      await world.send('confirmPhone')({ json: number })
      const otp = number.otp.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
      return send({ form: clientRegistration({ ...number, phone_code: '٠٠٩٦٦', otp }) })
    },
    'ignores the fields of the other account type': async (send, world, t) => {
      const form = { ...lawyerRegistration(), ...clientRegistration(), third_name: '' }
      const client = await send({ form })
      const { body } = await world.send('getProfile')({ token: tokensIn(client).token })
      t.match(body.data.user, { account_type: 'client', name: 'نوف الشهري' })
      const json = { ...clientRegistration(), ...lawyerRegistration(), name: { any: 'thing' } }
      const lawyer = await send({ json })
      const profile = await world.send('getProfile')({ token: tokensIn(lawyer).token })
      t.match(profile.body.data.user, { account_type: 'lawyer', name: 'فهد سالم الدوسري' })
      return lawyer
    },
    'accepts names with joiners, direction marks and emoji': async (send, world, t) => {
      const name = '\u200Fمی\u200Cخواهم هـ\u200D\u061C 👩\u200D🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿\u200E'
      const received = await send({ json: clientRegistration({ name }) })
      const { body } = await world.send('getProfile')({ token: tokensIn(received).token })
      t.equal(body.data.user.name, name.slice(1, -1), 'without the marks at its ends')
      return received
    },
    'returns a refresh token that works': async (send, world, t) => {
      const received = await send({ json: clientRegistration() })
      const { refresh } = tokensIn(received)
      t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 200)
      return received
    },
  },
  400: {
    ...common[400],
    ...body[400],
    'rejects a form without a boundary': async (send, _world, t) => {
      const received = await send({ raw: 'x', type: 'multipart/form-data' })
      t.equal(received.headers['error-code'], 'multipart_boundary_missing')
      return received
    },
  },
  409: {
    ...once.conflict,
    'returns no tokens of a session that has ended since': async (send, world, t) => {
      const sent = withKey({ json: clientRegistration() }, randomUUID())
      const { token } = tokensIn(await send(sent))
      t.equal((await send(sent)).status, 201)
      await world.send('logout')({ token })
      const received = await send(sent)
      t.equal(received.headers['error-code'], 'idempotency_session_ended')
      t.notOk(received.headers['idempotency-replayed'])
      return received
    },
  },
  413: body[413],
  415: body[415],
  422: {
    ...once.invalid,
    'reports all invalid fields at once': async (send, world, t) => {
      const { email, phone } = await world.person()
      const { body } = await send({
        json: {
          account_type: 'client',
          email: email.toUpperCase(),
          phone,
          phone_code: '966',
          password: 'password',
          x: 1,
        },
      })
      t.same(body.data.codes, {
        name: ['required'],
        email: ['email_taken'],
        phone: ['phone_taken'],
        password: ['password_common'],
        x: ['unknown_field'],
      })
      return send({ form: { account_type: 'x' } })
    },
    'reports an invalid account type together with other invalid fields, in JSON and forms': async (send, world, t) => {
      const { email, phone } = await world.person()
      const wrong = {
        account_type: 'x',
        email,
        phone,
        phone_code: '966',
        password: 'password',
        id: '1',
        first_name: '',
      }
      const codes = {
        account_type: ['not_allowed'],
        email: ['email_taken'],
        phone: ['phone_taken'],
        password: ['password_common'],
      }
      t.same((await send({ form: { ...wrong, id: '' } })).body.data.codes, codes)
      t.same((await send({ json: { ...wrong, first_name: 5 } })).body.data.codes, { ...codes, id: ['unknown_field'] })
      const types = await send({ json: { account_type: ['client'], email: {}, phone: [], password: null } })
      t.same(types.body.data.codes, {
        account_type: ['wrong_type'],
        email: ['wrong_type'],
        phone: ['wrong_type'],
        password: ['wrong_type'],
        phone_code: ['required'],
      })
      return types
    },
    'reports at most 100 invalid fields': async (send, _world, t) => {
      const others = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x${at}`, 1]))
      const received = await send({ json: { ...others, ...clientRegistration({ email: ['a@b.co', 'b@b.co'] }) } })
      t.equal(Object.keys(received.body.data.codes as object).length, 100)
      return received
    },
    'rejects a Saudi number with a missing or wrong code, and a registered number with a used one': async (
      send,
      world,
      t,
    ) => {
      const number = await saudiNumber(world)
      const missing = await send({ json: clientRegistration({ ...number, otp: undefined }) })
      t.same(missing.body.data.codes, { otp: ['required'] })
      const wrong = await send({
        json: clientRegistration({ ...number, otp: number.otp === '000000' ? '1' : '000000' }),
      })
      t.same(wrong.body.data.codes, { otp: ['otp_wrong'] })
      const person = await send({ json: clientRegistration(number) })
      t.equal(person.status, 201)
      const again = await send({ json: clientRegistration(number) })
      t.same(again.body.data.codes, { phone: ['phone_taken'] })
      return again
    },
    'rejects the e-mail address as the password': async (send, _world, t) => {
      const received = await send({ json: clientRegistration({ email: 'me@example.org', password: 'ME@example.org' }) })
      t.same(received.body.data.codes, { password: ['password_is_email'] })
      return received
    },
    'rejects a guessable password': async (send, _world, t) => {
      const codesOf = async (password: string, more = {}): Promise<unknown> =>
        (await send({ json: clientRegistration({ password, ...more }) })).body.data.codes
      for (const password of ['Password1!', 'Ahmed@2025', 'tawthiq2026', 'نوفالشهري', 'ضصثقفغعه']) {
        t.same(await codesOf(password), { password: ['password_guessable'] }, password)
      }
      const lawyer = await send({ json: lawyerRegistration({ password: 'الدوسري2026' }) })
      t.same(lawyer.body.data.codes, { password: ['password_guessable'] })
      return send({ json: clientRegistration({ email: 'sama.zarqa@example.org', password: 'zarqa@12' }) })
    },
    'rejects a field of neither account type': async (send, _world, t) => {
      const received = await send({ json: { ...clientRegistration(), gender: 'Female' } })
      t.same(received.body.data.codes, { gender: ['unknown_field'] })
      return received
    },
  },
  429: {
    'limits attempts with taken values': async (send, world, t) => {
      const { email } = await world.person()
      const taken = (): ReturnType<typeof send> => send({ json: clientRegistration({ email }) })
      for (let batch = 0; batch < 6; batch++) await Promise.all(Array.from({ length: 10 }, taken))
      const received = await taken()
      t.equal(received.headers['error-code'], 'rate_limited')
      return received
    },
    'limits registrations per network and hour': async (send, world, t) => {
      const points = LIMITS.register.per_hour
      const counter = { policy: { name: 'register-hour', points, seconds: 3600 }, key: world.address }
      const { limits } = world.service.app.context
      for (let taken = 0; taken < points - 1; taken++) await limits.consume(counter)
      const last = await send({ json: clientRegistration() })
      t.equal(last.status, 201)
      t.match(last.headers, { ratelimit: /"register-hour";r=0/ })
      const received = await send({ json: clientRegistration() })
      t.match(received.headers, { 'error-code': 'rate_limited', 'retry-after': /^3[56]\d\d$/ })
      return received
    },
    'rejects the right code after five wrong ones': async (send, world, t) => {
      const number = await saudiNumber(world)
      const otp = number.otp === '000000' ? '111111' : '000000'
      for (let tries = 0; tries < 5; tries++) await send({ json: clientRegistration({ ...number, otp }) })
      const received = await send({ json: clientRegistration(number) })
      t.equal(received.headers['error-code'], 'otp_tries_exhausted')
      return received
    },
  },
  500: common[500],
  503: common[503],
})
