import { bodyStories, commonStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import { clientRegistration, lawyerRegistration, NEW_PASSWORD, saudiNumber } from '../support/registrations.ts'
import { LONG_PASSWORD, tokensIn } from '../support/world.ts'

const common = commonStories('register', () => ({ json: clientRegistration() }), 'phoneNumbers')
const body = bodyStories(clientRegistration())

contract('register', {
  201: {
    'a client, who is logged in and may log in': async (send, world, t) => {
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
    'a password of 37 Arabic letters, which has more than 72 bytes': async (send, world, t) => {
      const form = clientRegistration({ password: LONG_PASSWORD })
      const received = await send({ json: form })
      const logIn = async (password: string): Promise<number> =>
        (await world.send('login')({ json: { email: form['email'], password } })).status
      t.same([await logIn(LONG_PASSWORD), await logIn(LONG_PASSWORD.slice(0, -1))], [200, 401])
      return received
    },
    'a lawyer, whose names are known and nothing else': async (send, world, t) => {
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
    'a Saudi number, with its code': async (send, world, t) => {
      const received = await send({ json: clientRegistration(await saudiNumber(world)) })
      const { body } = await world.send('getProfile')({ token: tokensIn(received).token })
      t.match(body.data.user, { phone_code: '966', phone_verified: true })
      return received
    },
    'a code that was confirmed before, in other digits': async (send, world) => {
      const number = await saudiNumber(world)
      await world.send('confirmPhone')({ json: number })
      const otp = number.otp.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
      return send({ form: clientRegistration({ ...number, phone_code: '٠٠٩٦٦', otp }) })
    },
    'a form that serves both kinds': async (send, world, t) => {
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
    'names with joiners, direction marks and emoji': async (send, world, t) => {
      const name = '\u200Fمی\u200Cخواهم هـ\u200D\u061C 👩\u200D🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿\u200E'
      const received = await send({ json: clientRegistration({ name }) })
      const { body } = await world.send('getProfile')({ token: tokensIn(received).token })
      t.equal(body.data.user.name, name)
      return received
    },
    'a refresh token that works': async (send, world, t) => {
      const received = await send({ json: clientRegistration() })
      const { refresh } = tokensIn(received)
      t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 200)
      return received
    },
  },
  400: {
    ...common[400],
    ...body[400],
    'a form without its boundary': async (send, _world, t) => {
      const received = await send({ raw: 'x', type: 'multipart/form-data' })
      t.equal(received.headers['error-code'], 'multipart_boundary_missing')
      return received
    },
  },
  413: body[413],
  415: body[415],
  422: {
    'everything wrong at once': async (send, world, t) => {
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
    'a wrong kind of account beside other wrong fields, as JSON and as a form': async (send, world, t) => {
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
    'more wrong fields than are named': async (send, _world, t) => {
      const others = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x${at}`, 1]))
      const received = await send({ json: { ...others, ...clientRegistration({ email: ['a@b.co', 'b@b.co'] }) } })
      t.equal(Object.keys(received.body.data.codes as object).length, 100)
      return received
    },
    'a Saudi number without a code, with a wrong one, and with one that was used': async (send, world, t) => {
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
    'the address as the password': async (send, _world, t) => {
      const received = await send({ json: clientRegistration({ email: 'me@example.org', password: 'ME@example.org' }) })
      t.same(received.body.data.codes, { password: ['password_is_email'] })
      return received
    },
    'a password that is easy to guess': async (send, _world, t) => {
      const codesOf = async (password: string, more = {}): Promise<unknown> =>
        (await send({ json: clientRegistration({ password, ...more }) })).body.data.codes
      for (const password of ['Password1!', 'Ahmed@2025', 'tawthiq2026', 'نوفالشهري', 'ضصثقفغعه']) {
        t.same(await codesOf(password), { password: ['password_guessable'] }, password)
      }
      const lawyer = await send({ json: lawyerRegistration({ password: 'الدوسري2026' }) })
      t.same(lawyer.body.data.codes, { password: ['password_guessable'] })
      return send({ json: clientRegistration({ email: 'sama.zarqa@example.org', password: 'zarqa@12' }) })
    },
    'a field of neither kind': async (send, _world, t) => {
      const received = await send({ json: { ...clientRegistration(), gender: 'Female' } })
      t.same(received.body.data.codes, { gender: ['unknown_field'] })
      return received
    },
  },
  429: {
    'many that are taken': async (send, world, t) => {
      const { email } = await world.person()
      const taken = (): ReturnType<typeof send> => send({ json: clientRegistration({ email }) })
      for (let batch = 0; batch < 6; batch++) await Promise.all(Array.from({ length: 10 }, taken))
      const received = await taken()
      t.equal(received.headers['error-code'], 'rate_limited')
      return received
    },
    'many wrong codes': async (send, world, t) => {
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
