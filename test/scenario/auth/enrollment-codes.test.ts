// With MFA_REQUIRED=administrators, the first second factor of an administrator requires a code from the operator.
import t from 'tap'
import { parseCommand } from '../../../src/cli/admin/arguments.ts'
import { runCommand } from '../../../src/cli/admin/commands.ts'
import { addDemoAccounts, DEMO_PASSWORD } from '../../../src/store/demo-data.ts'
import { newPasskey } from '../../support/accounts/authenticator.ts'
import { begin, codeAt, establish, protectedPerson } from '../../support/accounts/second-factors.ts'
import { eventsOf } from '../../support/cases/administration.ts'
import type { Received } from '../../support/service/responses.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SECOND_MS = 1000
const CODE = /^Enrollment code: ([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})$/m
const CHANGES_PER_HOUR = 10

const service = await sharedService({ administratorsNeedFactor: true })
const { prisma } = service.database

/** Runs a command as `npm run admin` does, with the settings of the service. */
function run(world: World, ...given: string[]): Promise<string> {
  const command = parseCommand(given) as Parameters<typeof runCommand>[0]
  const { context } = world.service.app
  const { store, administratorsNeedFactor } = context
  return runCommand(command, store, { administratorsNeedFactor, defaultLanguage: 'en', openMails: () => context })
}

/** Issues a code, and returns it as it is printed. */
async function issue(world: World, { email }: { email: string }): Promise<string> {
  return CODE.exec(await run(world, 'enrollment-code', email))?.[1] ?? ''
}

/** Logs in, and adds an app with an enrollment code. */
async function enrol(world: World, person: Person, code?: string): Promise<Received> {
  const token = await person.token()
  const { secret } = await begin(world, token)
  return confirm(world, { token, secret }, code)
}

function confirm(world: World, app: { token: string; secret: string }, code?: string): Promise<Received> {
  const json = {
    code: codeAt(app.secret, world.service.clock.nowMs()),
    ...(code !== undefined && { enrollment_code: code }),
  }
  return world.send('confirmTotp')({ token: app.token, json })
}

async function newAdministrator(): Promise<{ world: World; admin: Person }> {
  const world = await openWorld(service)
  return { world, admin: await world.person({ isAdmin: true }) }
}

const MISSING = { status: 422, body: { data: { codes: { enrollment_code: ['required'] } } } }
const WRONG = { status: 422, body: { data: { codes: { enrollment_code: ['code_wrong'] } } } }

void t.test('adds the first factor with the code of a grant', async (t) => {
  const world = await openWorld(service)
  const admin = await world.person()
  const said = await run(world, 'grant', admin.email)
  t.match(said, `${admin.email} is now an administrator.\nEnrollment code: `)
  t.match(said, 'It is valid once, for 24 hours, and is not shown again.')
  const received = await enrol(world, admin, CODE.exec(said)?.[1])
  t.match(received, { status: 200, body: { data: { recovery_codes: Array } } })
  t.equal(await prisma.enrollmentCode.count({ where: { accountId: admin.id } }), 0, 'the code is spent')
  t.match(await eventsOf(world, admin.id), [
    { event: 'admin_granted', subject: 'command line' },
    { event: 'enrollment_code_issued', subject: 'command line' },
    { event: 'login' },
    { event: 'totp_added' },
  ])
})

void t.test('adds no factor without a code, or with a wrong one', async (t) => {
  const { world, admin } = await newAdministrator()
  t.match(await enrol(world, admin), MISSING)
  t.match(await enrol(world, admin, 'AAAA-AAAA-AAAA-AAAA'), WRONG, 'no code was issued')
  const code = await issue(world, admin)
  t.match(await enrol(world, admin), MISSING)
  world.wait(HOUR_MS) // changes of factors are limited
  for (const wrong of ['AAAA-AAAA-AAAA-AAAA', '-A', code.slice(0, -1), `${code}A`])
    t.match(await enrol(world, admin, wrong), WRONG, wrong)
  t.match((await world.send('getFactors')({ token: await admin.token() })).body.data, { totp_added_at: null })
  world.wait(HOUR_MS)
  t.equal((await enrol(world, admin, code)).status, 200, 'wrong codes do not end the right one')
})

void t.test('names a wrong enrollment code together with a wrong code of the app, and records it', async (t) => {
  const { world, admin } = await newAdministrator()
  const token = await admin.token()
  const { secret } = await begin(world, token)
  const code = codeAt(secret, world.service.clock.nowMs() + HOUR_MS)
  const both = await world.send('confirmTotp')({ token, json: { code, enrollment_code: 'AAAA-AAAA-AAAA-AAAA' } })
  t.same(both.body.data.codes, { code: ['code_wrong'], enrollment_code: ['code_wrong'] })
  const { json } = await newPasskey(world, token)
  const response = { ...json.credential.response, clientDataJSON: 'e30' }
  const credential = { ...json.credential, response }
  const passkey = await world.send('addPasskey')({ token, json: { ...json, credential } })
  t.same(passkey.body.data.codes, { credential: ['passkey_wrong'], enrollment_code: ['required'] })
  const failed = (await eventsOf(world, admin.id)).filter(({ event }) => event === 'mfa_code_failed')
  t.equal(failed.length, 1, 'a missing code is not recorded')
})

void t.test('ignores how people type a code', async (t) => {
  const { world, admin } = await newAdministrator()
  const code = (await issue(world, admin)).toLowerCase().replaceAll('-', ' ')
  const arabic = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
  t.equal((await enrol(world, admin, ` ${arabic}`)).status, 200)
})

void t.test('counts wrong codes against the limit of changes', async (t) => {
  const { world, admin } = await newAdministrator()
  const token = await admin.token()
  const app = { token, ...(await begin(world, token)) }
  for (let tries = 1; tries < CHANGES_PER_HOUR; tries++) t.match(await confirm(world, app, 'AAAA'), WRONG)
  const received = await confirm(world, app, await issue(world, admin))
  t.same([received.status, received.headers['error-code']], [429, 'rate_limited'])
})

void t.test('accepts a code for 24 hours', async (t) => {
  for (const [pastMs, expected] of [
    [-SECOND_MS, { status: 200 }],
    [SECOND_MS, WRONG],
  ] as const) {
    const { world, admin } = await newAdministrator()
    const { clock } = service
    const issuedMs = clock.nowMs()
    const code = await issue(world, admin)
    const { expiresAt } = await prisma.enrollmentCode.findUniqueOrThrow({ where: { accountId: admin.id } })
    const untilMs = (ms: number): number => expiresAt.getTime() + ms - clock.nowMs()
    t.ok(Math.abs(expiresAt.getTime() - issuedMs - 24 * HOUR_MS) < MINUTE_MS)
    world.wait(untilMs(-MINUTE_MS))
    const token = await admin.token()
    const app = { token, ...(await begin(world, token)) }
    world.wait(untilMs(pastMs))
    t.match(await confirm(world, app, code), expected, `${pastMs} ms after its end`)
  }
})

void t.test('accepts a code once', async (t) => {
  const { world, admin } = await newAdministrator()
  const code = await issue(world, admin)
  t.equal((await enrol(world, admin, code)).status, 200)
  await run(world, 'reset-factors', admin.email)
  t.match(await enrol(world, admin, code), WRONG)
  t.equal((await enrol(world, admin, await issue(world, admin))).status, 200)
})

void t.test('accepts a code once from two sessions at the same time', async (t) => {
  const { world, admin } = await newAdministrator()
  const code = await issue(world, admin)
  const token = await admin.token()
  const { secret } = await begin(world, token)
  const other = await admin.token()
  const received = await Promise.all([token, other].map((each) => confirm(world, { token: each, secret }, code)))
  t.equal(received.filter(({ status }) => status === 200).length, 1)
  t.equal((await eventsOf(world, admin.id)).filter(({ event }) => event === 'totp_added').length, 1)
})

void t.test('replaces a code by a new one, and rejects that of another administrator', async (t) => {
  const { world, admin } = await newAdministrator()
  const other = await world.person({ isAdmin: true })
  const [first, second, foreign] = [await issue(world, admin), await issue(world, admin), await issue(world, other)]
  t.match(await enrol(world, admin, first), WRONG)
  t.match(await enrol(world, admin, foreign), WRONG)
  t.equal((await enrol(world, admin, second)).status, 200)
})

void t.test('ends a code with the privileges, also if they are granted again', async (t) => {
  const { world, admin } = await newAdministrator()
  const code = await issue(world, admin)
  await run(world, 'revoke', admin.email)
  t.equal(await prisma.enrollmentCode.count({ where: { accountId: admin.id } }), 0)
  await prisma.account.update({ where: { id: admin.id }, data: { isAdmin: true } })
  t.match(await enrol(world, admin, code), WRONG)
  await run(world, 'revoke', admin.email)
  t.equal((await enrol(world, admin)).status, 200, 'others need no code')
})

void t.test('requires a code of administrators, for their first factor only', async (t) => {
  const world = await openWorld(service)
  t.equal((await enrol(world, await world.person(), 'AAAA')).status, 200, 'it is ignored for others')
  const { person, token } = await protectedPerson(world)
  await prisma.account.update({ where: { id: person.id }, data: { isAdmin: true } })
  const { secret } = await begin(world, token)
  t.match(await confirm(world, { token, secret }), { status: 200, body: { data: { recovery_codes: null } } })
})

void t.test('requires no code without the setting', async (t) => {
  const optional = await openService({})
  t.teardown(() => optional.close())
  const world = await openWorld(optional)
  const admin = await world.person({ isAdmin: true })
  const said = await run(world, 'enrollment-code', admin.email)
  t.match(said, /\n\nMFA_REQUIRED is not set\. Until it is set to administrators, a second factor can be added without/)
  t.equal((await enrol(world, admin)).status, 200)
  t.equal(await optional.database.prisma.enrollmentCode.count(), 0, 'the code is not needed any more')
  const { email } = await world.person()
  t.equal(await run(world, 'grant', email), `${email} is now an administrator.`)
})

void t.test('lets the demo administrator enrol with a code', async (t) => {
  const demo = await openService({ config: { hasDemoData: true, administratorsNeedFactor: true } })
  t.teardown(() => demo.close())
  await addDemoAccounts(demo.database)
  const world = await openWorld(demo)
  const email = 'admin@demo.test'
  const json = { email, password: DEMO_PASSWORD }
  const { token } = tokensIn(await world.send('login')({ json }))
  t.equal((await world.send('adminListUsers')({ token })).headers['error-code'], 'mfa_enrollment_required')
  const { secret } = await begin(world, token, { password: DEMO_PASSWORD })
  t.match(await confirm(world, { token, secret }), MISSING)
  t.equal((await confirm(world, { token, secret }, await issue(world, { email }))).status, 200)
  t.equal((await world.send('adminListUsers')({ token })).status, 200)
})

void t.test('does not count factors from before the grant until one is added with its code', async (t) => {
  const world = await openWorld(service)
  const { person, nextCode } = await protectedPerson(world)
  await establish(world, person)
  const granted = await run(world, 'grant', person.email)
  const login = async (): Promise<string> => {
    const json = { email: person.email, password: PASSWORD, code: nextCode() }
    return tokensIn(await world.send('login')({ json })).token
  }
  const read = async (token: string): Promise<string | undefined> =>
    (await world.send('adminListUsers')({ token })).headers['error-code']
  const token = await login()
  t.equal(await read(token), 'mfa_enrollment_required')
  t.equal((await world.send('getProfile')({ token })).status, 200, 'the login is unchanged')
  t.match(await run(world, 'list'), `${person.email} (no second factor)`)

  const { secret } = await begin(world, token, { code: nextCode() })
  t.match(await confirm(world, { token, secret }), MISSING, 'the proof alone is not enough')
  const code = CODE.exec(granted)?.[1] ?? ''
  t.equal((await confirm(world, { token, secret }, code)).status, 200)
  t.equal(await read(token), undefined)
  const again = await begin(world, token, { code: codeAt(secret, (world.wait(30_000), service.clock.nowMs())) })
  t.equal((await confirm(world, { token, secret: again.secret })).status, 200, 'a further factor needs no code')
})

void t.test('explains what an operator can do', async (t) => {
  const { world, admin } = await newAdministrator()
  const { email } = admin
  const renewal = `To print a new enrollment code for it, run npm run admin -- enrollment-code ${email}.`
  t.equal(await run(world, 'grant', email), `${email} is already an administrator.\n${renewal}`)
  t.equal((await enrol(world, admin, await issue(world, admin))).status, 200)
  const noCode = 'The account has a second factor, and needs no enrollment code.'
  t.equal(await run(world, 'grant', email), `${email} is already an administrator.\n${noCode}`)
  await t.rejects(run(world, 'enrollment-code', email), {
    message: `${email} has a second factor. Only the first one needs a code.`,
  })
  t.equal(
    await run(world, 'reset-factors', email),
    `Account ${admin.id} has no second factor any more, and its sessions have ended. It is an administrator, and cannot use its privileges until it has a new one. ${renewal}`,
  )
  const person = await world.person()
  await t.rejects(run(world, 'enrollment-code', person.email), {
    message: `${person.email} is not an administrator. Only administrators need an enrollment code.`,
  })
  await t.rejects(run(world, 'enrollment-code', 'x@example.org'), { message: /^No account has the e-mail address/ })
  t.throws(() => parseCommand(['enrollment-code']), { message: 'enrollment-code requires an e-mail address.' })
})

void t.test('ends a code with a new password', async (t) => {
  const { world, admin } = await newAdministrator()
  const code = await issue(world, admin)
  const json = { current_password: PASSWORD, new_password: 'olive3kayak' }
  const { token } = tokensIn(await world.send('changePassword')({ token: await admin.token(), json }))
  const { secret } = await begin(world, token, { password: json.new_password })
  t.match(await confirm(world, { token, secret }, code), WRONG)
})

void t.test('requires the code of a passkey that is the first factor too, and of no further one', async (t) => {
  const { world, admin } = await newAdministrator()
  const code = await issue(world, admin)
  const token = await admin.token()
  const add = async (given?: string, proof: object = { password: PASSWORD }): Promise<Received> => {
    const { json } = await newPasskey(world, token, {}, proof)
    return world.send('addPasskey')({
      token,
      json: { ...json, ...(given !== undefined && { enrollment_code: given }) },
    })
  }
  t.match(await add(), MISSING)
  t.match(await add('AAAA-AAAA-AAAA-AAAA'), WRONG)
  const added = await add(code)
  t.match(added, { status: 201, body: { data: { recovery_codes: Array } } })
  t.equal(await prisma.enrollmentCode.count({ where: { accountId: admin.id } }), 0, 'the code is spent')
  const { recovery_codes: recoveryCodes } = added.body.data as { recovery_codes: string[] }
  const further = await add(undefined, { code: recoveryCodes[0] })
  t.match(further, { status: 201, body: { data: { recovery_codes: null } } }, 'it is established at once')
})
