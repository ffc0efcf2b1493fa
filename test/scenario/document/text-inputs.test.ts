// Texts as people paste and type them are accepted wherever the document has a field of their kind.
import t from 'tap'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { begin, codeAt, protectedPerson } from '../../support/accounts/second-factors.ts'
import { openWorld, PASSWORD } from '../../support/service/world.ts'

const arabic = (text: string): string => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
const fullwidth = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
const halves = (text: string, between: string): string => `${text.slice(0, 3)}${between}${text.slice(3)}`

type Shape = (text: string) => string

/** What surrounds texts that are copied */
const PASTED: Readonly<Record<string, Shape>> = {
  'a leading space': (text) => ` ${text}`,
  'a trailing space': (text) => `${text} `,
  'a tab': (text) => `\t${text}`,
  'a no-break space': (text) => `${text}\u00A0`,
  'an embedding': (text) => `\u202A${text}\u202C`,
  'an override': (text) => `\u202D${text}\u202C`,
  'an isolate': (text) => `\u2068${text}\u2069`,
  'marks of direction': (text) => `\u200E${text}\u200F\u061C`,
  'a zero-width space and a byte order mark': (text) => `\uFEFF${text}\u200B`,
}
const DIGITS: Readonly<Record<string, Shape>> = {
  ...PASTED,
  'Arabic digits': arabic,
  'fullwidth digits': fullwidth,
}
const PHONES: Readonly<Record<string, Shape>> = {
  ...DIGITS,
  'no-break hyphens': (text) => halves(text, '\u2011'),
  'en dashes': (text) => halves(text, '–'),
  'no-break spaces': (text) => halves(text, '\u00A0'),
  'the scheme of a link': (text) => `tel:${text}`,
}
const CODES: Readonly<Record<string, Shape>> = {
  ...DIGITS,
  'a space between its halves': (text) => halves(text, ' '),
  'a hyphen between its halves': (text) => halves(text, '-'),
}

void t.test('confirms a number and a code in every notation', async (t) => {
  const world = await openWorld()
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const otp = world.codesTo(phone)[0] ?? ''
  const send = async (fields: object, title: string): Promise<void> => {
    const given = { phone_code: '966', phone, otp, ...fields }
    for (const sent of [{ form: given }, { json: given }]) {
      const { status, body } = await world.send('confirmPhone')(sent)
      t.equal(status, 200, `${title}: ${JSON.stringify(body.data)}`)
    }
  }
  for (const [title, shape] of Object.entries(PHONES)) await send({ phone: shape(phone) }, `phone with ${title}`)
  for (const [title, shape] of Object.entries(DIGITS))
    await send({ phone_code: shape('966') }, `phone_code with ${title}`)
  for (const [title, shape] of Object.entries(CODES)) await send({ otp: shape(otp) }, `otp with ${title}`)
})

void t.test('accepts codes of the app in every notation, in every operation', async (t) => {
  const world = await openWorld()
  for (const [title, shape] of Object.entries(CODES)) {
    const person = await world.person()
    const token = await person.token()
    const { secret } = await begin(world, token)
    const code = shape(codeAt(secret, world.service.clock.nowMs()))
    const { status, body } = await world.send('confirmTotp')({ token, json: { code } })
    t.equal(status, 200, `${title}: ${JSON.stringify(body.data)}`)
  }
  for (const [title, shape] of Object.entries(CODES)) {
    const { person, nextCode, recoveryCodes } = await protectedPerson(world)
    for (const code of [nextCode(), recoveryCodes[0] ?? '']) {
      const json = { email: person.email, password: PASSWORD, code: shape(code) }
      t.equal((await world.send('login')({ json })).status, 200, title)
    }
  }
})

void t.test('stores one form of a name and an e-mail address, and logs in with any', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  for (const [title, shape] of Object.entries(PASTED)) {
    const login = { email: shape(person.email.toUpperCase()), password: PASSWORD }
    t.equal((await world.send('login')({ json: login })).status, 200, `login with ${title}`)
    const name = 'مهدی\u200Cزاده العتيبي'
    const { phone, email } = person
    const changes = { name: shape(name), email: shape(email) }
    const put = await world.send('updateProfile')({ token, form: { ...clientForm({ phone, email }), ...changes } })
    t.match(put.body.data, { user: { name, email } }, `PUT with ${title}`)
    const patch = await world.send('patchProfile')({ token, json: changes })
    t.match(patch.body.data, { user: { name, email } }, `PATCH with ${title}`)
  }
  const { body } = await world.send('patchProfile')({ token, json: { name: 'سارة\u202Eالعتيبي' } })
  t.same(body.data?.codes, { name: ['wrong_format'] }, 'an override within a name')
})

void t.test('registers an address with a domain in Arabic once', async (t) => {
  const world = await openWorld()
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const otp = world.codesTo(phone)[0] ?? ''
  const register = world.send('register')
  const json = clientRegistration({ email: 'Sara@موقع.السعودية', phone, otp: halves(otp, ' ') })
  const { status, body } = await register({ json })
  t.equal(status, 201)
  t.match(body.data, { account: { email: 'sara@xn--4gbrim.xn--mgberp4a5d4ar' } })
  const again = await register({ json: { ...json, email: 'sara@xn--4gbrim.xn--mgberp4a5d4ar' } })
  t.match(again.body.data?.codes, { email: ['email_taken'] })
  const login = { email: 'sara@موقع.السعودية', password: json['password'] }
  t.equal((await world.send('login')({ json: login })).status, 200)
})

void t.test('rejects addresses that no mail server has', async (t) => {
  const world = await openWorld()
  const invalid = [
    `${'a'.repeat(65)}@demo.test`,
    `a@${'b'.repeat(64)}.test`,
    `a@${'م'.repeat(60)}.السعودية`, // a label of more than 63 characters in ASCII
    'a b@demo.test',
    'سارة@demo.test',
    'a@demo',
  ]
  for (const email of invalid) {
    const { body } = await world.send('register')({ json: clientRegistration({ email }) })
    t.same(body.data?.codes.email, ['wrong_format'], email)
  }
})

void t.test('never changes passwords and tokens', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  for (const password of [` ${PASSWORD}`, `${PASSWORD} `, `\u200E${PASSWORD}`])
    t.equal((await world.send('login')({ json: { email, password } })).status, 401, JSON.stringify(password))
})
