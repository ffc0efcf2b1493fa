// The numbers of SQL statements and Redis commands in docs/performance.md are budgets: no request may need more.
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { adminToken, newLawyer, reviewVersionOf, userPath } from '../../support/cases/administration.ts'
import { nationalIdOf } from '../../support/accounts/national-ids.ts'
import { clientForm, lawyerForm, picture } from '../../support/accounts/profile-forms.ts'
import { clientRegistration, lawyerRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import { resetTokenFor } from '../../support/accounts/resets.ts'
import { verificationTo } from '../../support/accounts/emails.ts'
import { giveFile, image } from '../../support/files/files.ts'
import type { Received } from '../../support/service/responses.ts'
import type { Form } from '../../support/service/sender.ts'
import { countStatements, type Counted, type Counts } from '../../support/service/statements.ts'
import { openWorld, PASSWORD, type Person, type World } from '../../support/service/world.ts'

/** Prepares a request, and returns a function that sends it. */
type Prepare = (world: World) => Promise<() => Promise<Received>>

const PAGE = 'docs/performance.md'
const SECTION = /(?<=<!-- statements -->\n\n)[^]*?(?=\n<!-- \/statements -->)/
const WRONG = 'a wrong password'

/** A request of a person with an access token */
function asPerson(
  request: (world: World, person: Person, token: string) => Promise<Received>,
  { isLawyer = false, isEmailVerified = true } = {},
): Prepare {
  return async (world) => {
    const person = isLawyer ? await newLawyer(world) : await world.person({ isEmailVerified })
    const token = await person.token()
    return () => request(world, person, token)
  }
}

/** A request of an administrator about another user */
function asAdmin(request: (world: World, token: string, user: Person) => Promise<Received>): Prepare {
  return async (world) => {
    const [token, user] = [await adminToken(world), await newLawyer(world)]
    return () => request(world, token, user)
  }
}

/** Encodes a form so that it is sent together with its headers. Otherwise the session is read before the form arrives. */
async function inOnePiece(form: Form): Promise<{ raw: Uint8Array; type: string }> {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    for (const each of Array.isArray(value) ? value : [value]) data.append(name, each)
  }
  const response = new Response(data)
  return { raw: new Uint8Array(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' }
}

/** An update of a profile, which is complete before */
function update(more: (person: Person) => Form | Promise<Form>, { isLawyer = false } = {}): Prepare {
  return async (world) => {
    const person = await world.person({ accountType: isLawyer ? 'lawyer' : 'client' })
    const token = await person.token()
    const base = isLawyer ? lawyerForm(person, { national_id: nationalIdOf(person) }) : clientForm(person)
    await world.send('updateProfile')({ token, form: base })
    const { national_id_image: _image, degree_certificate: _certificate, ...texts } = base
    const form = { ...texts, ...(await more(person)) }
    const sent = { token, ...(await inOnePiece(form)) }
    return () => world.send('updateProfile')(sent)
  }
}

const REQUESTS: Record<string, Prepare> = {
  login: async (world) => {
    const { email } = await world.person()
    return () => world.send('login')({ json: { email, password: PASSWORD } })
  },
  'login, wrong password': async (world) => {
    const { email } = await world.person()
    return () => world.send('login')({ json: { email, password: WRONG } })
  },
  'register, client': async (world) => {
    const form = clientRegistration(await saudiNumber(world))
    return () => world.send('register')({ form })
  },
  'register, lawyer': async (world) => {
    const form = lawyerRegistration(await saudiNumber(world))
    return () => world.send('register')({ form })
  },
  checkPhone: async (world) => {
    const form = { phone_code: '966', phone: world.newPhone() }
    return () => world.send('checkPhone')({ form })
  },
  confirmPhone: async (world) => {
    const form = await saudiNumber(world)
    return () => world.send('confirmPhone')({ form })
  },
  'confirmPhone, wrong code': async (world) => {
    const form = { ...(await saudiNumber(world)), otp: '000000' }
    return () => world.send('confirmPhone')({ form })
  },
  refreshToken: async (world) => {
    const { refresh } = await (await world.person()).logIn()
    return () => world.send('refreshToken')({ json: { refresh_token: refresh } })
  },
  logout: asPerson((world, _person, token) => world.send('logout')({ token })),
  checkToken: asPerson((world, _person, token) => world.send('checkToken')({ token })),
  listSessions: asPerson((world, _person, token) => world.send('listSessions')({ token })),
  reauthenticate: asPerson((world, _person, token) =>
    world.send('reauthenticate')({ token, json: { method: 'password', password: PASSWORD } }),
  ),
  changePassword: asPerson((world, _person, token) =>
    world.send('changePassword')({
      token,
      json: { current_password: PASSWORD, new_password: 'olive-harbour-58-lantern' },
    }),
  ),
  requestPasswordReset: async (world) => {
    const { email } = await world.person()
    return () => world.send('requestPasswordReset')({ json: { by: 'email', email } })
  },
  'resetPassword, by e-mail': async (world) => {
    const { email } = await world.person()
    await world.send('requestPasswordReset')({ json: { by: 'email', email } })
    const json = { by: 'email', token: await resetTokenFor(world, email), password: 'olive-harbour-58-lantern' }
    return () => world.send('resetPassword')({ json })
  },
  requestEmailVerification: asPerson((world, _person, token) => world.send('requestEmailVerification')({ token }), {
    isEmailVerified: false,
  }),
  'confirmEmail, by code': async (world) => {
    const person = await world.person({ isEmailVerified: false })
    const token = await person.token()
    await world.send('requestEmailVerification')({ token })
    const { code } = await verificationTo(world, person.email)
    return () => world.send('confirmEmail')({ token, json: { by: 'code', code } })
  },
  'getProfile, client': asPerson((world, _person, token) => world.send('getProfile')({ token })),
  'getProfile, lawyer': asPerson((world, _person, token) => world.send('getProfile')({ token }), { isLawyer: true }),
  'updateProfile, client': update(() => ({ name: 'ريم الحربي' })),
  'updateProfile, client with a photo': update(async () => ({ profile_photo: new Blob([await image()]) })),
  'updateProfile, client with a new password': update(() => ({ password: 'olive-harbour-58-lantern' })),
  'updateProfile, client with a new e-mail address': update(({ id }) => ({ email: `budget-${id}@example.org` })),
  'updateProfile, lawyer': update(() => ({ about: 'محامٍ في جدة.' }), { isLawyer: true }),
  'updateProfile, lawyer with a file': update(() => ({ national_id_image: picture() }), { isLawyer: true }),
  'patchProfile, client': asPerson((world, _person, token) =>
    world.send('patchProfile')({ token, json: { name: 'ريم الحربي' } }),
  ),
  deleteProfileFile: async (world) => {
    const person = await world.person()
    await giveFile(world, person.id, 'profile_photo', await image())
    const token = await person.token()
    return () => world.send('deleteProfileFile')({ token, path: { kind: 'profile_photo' } })
  },
  requestAccountDeletion: asPerson((world, _person, token) =>
    world.send('requestAccountDeletion')({ token, json: { password: PASSWORD } }),
  ),
  exportAccount: asPerson((world, _person, token) => world.send('exportAccount')({ token })),
  listLookups: async (world) => () => world.send('listLookups')(),
  adminListUsers: asAdmin((world, token) => world.send('adminListUsers')({ token })),
  adminGetUser: asAdmin((world, token, user) => world.send('adminGetUser')({ token, ...userPath(user) })),
  adminListAudit: asAdmin((world, token) => world.send('adminListAudit')({ token })),
  adminListEvents: asAdmin((world, token) => world.send('adminListEvents')({ token })),
  adminSuspendUser: asAdmin((world, token, user) =>
    world.send('adminSuspendUser')({ token, ...userPath(user), json: { reason: 'spam' } }),
  ),
  adminReviewLawyer: async (world) => {
    const [token, lawyer] = [await adminToken(world), await newLawyer(world)]
    const json = { decision: 'approved', review_version: await reviewVersionOf(world, lawyer) }
    return () => world.send('adminReviewLawyer')({ token, ...userPath(lawyer), json })
  },
}

/** Counts a request, after an equal one of another user: statements of first use, such as scripts, do not count. */
async function countRequest(name: string, prepare: Prepare): Promise<Counted> {
  const sendFirst = await prepare(await openWorld())
  await sendFirst()
  const world = await openWorld()
  const send = await prepare(world)
  return countStatements(world, async () => {
    const { status, body } = await send()
    if (status >= 400 && !name.includes('wrong')) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`)
  })
}

function readBudgets(page: string): Map<string, Counts> {
  const rows = [...(SECTION.exec(page)?.[0] ?? '').matchAll(/^\| (\S.*?) +\| +(\d+) +\| +(\d+) +\|$/gm)]
  return new Map(
    rows.map(([, name = '', statements, commands]) => [
      name,
      { statements: Number(statements), commands: Number(commands) },
    ]),
  )
}

const page = readFileSync(PAGE, 'utf8')
const budgets = readBudgets(page)
const counted = new Map<string, Counts>()

for (const [name, prepare] of Object.entries(REQUESTS)) {
  void t.test(name, async (t) => {
    const { texts, ...counts } = await countRequest(name, prepare)
    counted.set(name, counts)
    if (process.env['BUDGETS'] === 'write') return
    const { statements = 0, commands = 0 } = budgets.get(name) ?? {}
    t.ok(counts.statements <= statements, `${counts.statements} of ${statements} SQL statements: ${texts.join(', ')}`)
    t.ok(counts.commands <= commands, `${counts.commands} of ${commands} Redis commands`)
  })
}

void t.test('the table has these requests', async (t) => {
  if (process.env['BUDGETS'] === 'write') writeFileSync(PAGE, page.replace(SECTION, renderTable()))
  else t.same([...budgets.keys()], Object.keys(REQUESTS))
})

function renderTable(): string {
  const rows = [...counted].map(([name, { statements, commands }]) => `| ${name} | ${statements} | ${commands} |`)
  return ['| Request | SQL statements | Redis commands |', '|---|---|---|', ...rows, ''].join('\n')
}
