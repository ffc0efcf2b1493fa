// npm run admin, as an operator runs it.
import t from 'tap'
import { parseCommand } from '../../../src/cli/admin/arguments.ts'
import { runCommand } from '../../../src/cli/admin/commands.ts'
import { openDatabase, type DatabaseTarget } from '../../../src/database/index.ts'
import { addDemoAccounts } from '../../../src/store/demo-data.ts'
import { maskAddress } from '../../../src/domain/text.ts'
import { adminIn, spawnAdmin } from '../../support/processes/admin-command.ts'
import { eventsOf } from '../../support/cases/administration.ts'
import { openInstallation, openProcessInstallation } from '../../support/processes/installation.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { mailsTo } from '../../support/accounts/resets.ts'
import { protect, protectedPerson } from '../../support/accounts/second-factors.ts'
import { pooledDirectory } from '../../support/service/embedded-databases.ts'
import { openWorld } from '../../support/service/world.ts'

const EMAIL = 'client@demo.test'
const SETTINGS = {
  administratorsNeedFactor: false,
  defaultLanguage: 'en' as const,
  openMails: () => {
    throw new Error('the command composes no e-mail')
  },
}

async function addAccounts(target: DatabaseTarget): Promise<void> {
  const database = await openDatabase(target)
  await addDemoAccounts(database)
  await database.close()
}

void t.test('runs as a process of its own while the service is stopped', async (t) => {
  const { target, environment } = await openProcessInstallation(t)
  await addAccounts(target)
  t.same(await spawnAdmin(environment, 'list'), {
    code: 0,
    said: '3  admin@demo.test (no second factor)',
    complained: '',
  })
})

void t.test('lists the events of a request, of a network and of a period', async (t) => {
  const { target, environment } = await openInstallation(t)
  const database = await openDatabase(target)
  const days = [1, 2, 3].map((day) => ({
    event: 'login_failed',
    at: new Date(Date.UTC(2026, 0, day, 12)),
    requestId: `request-${day}`,
    address: `203.0.11${day}.7`,
    subject: 'p***@example.org',
  }))
  await database.prisma.auditEvent.createMany({ data: days })
  await database.close()
  const run = adminIn(environment)
  const [first, second, third] = days.map(
    ({ at, address, requestId, subject }) =>
      `${at.toISOString()}  login_failed  no account  from ${maskAddress(address)}  request ${requestId}  ${subject}`,
  )
  t.equal((await run('audit', '--request-id', 'request-2')).said, second)
  t.equal((await run('audit', '--address', '203.0.113.200')).said, third)
  t.equal((await run('audit', '--address', '203.0.111.*')).said, first)
  t.equal((await run('audit', '--until', '2026-01-02')).said, first)
  const period = ['--since', '2026-01-02T12:00:00Z', '--until', '2026-01-03T15:00:01+03:00']
  t.equal((await run('audit', ...period)).said, `${third}\n${second}`)
  t.match((await run('audit')).said, /audit_listed {2}no account {2}command line/)
  t.equal((await run('audit', '--request-id', 'request-2', '--address', '203.0.113.7')).said, 'No events match.')
  for (const [option, value] of [
    ['--address', '203.0'],
    ['--since', '2026-01-02T12:00:00'],
    ['--until', '2026-02-30T25:00Z'],
    ['--since', '2026-02-30'],
    ['--until', '2026-04-31T09:00:00+03:00'],
  ] as const)
    t.match(await run('audit', option, value), { code: 2, complained: new RegExp(`^${option} must be`) })
})

void t.test('lists every event once, however many have the same time', async (t) => {
  const { target, environment } = await openInstallation(t)
  const database = await openDatabase(target)
  const run = adminIn(environment)
  const times = [...Array.from({ length: 990 }, (_, index) => 2000 + index), ...Array<number>(20).fill(1000), 999]
  const add = (milliseconds: readonly number[], address: string): Promise<unknown> =>
    database.prisma.auditEvent.createMany({
      data: milliseconds.map((ms, index) => ({ event: 'login', at: new Date(ms), address, requestId: `${index}` })),
    })
  await add(times, '203.0.113.7')
  await add(Array<number>(1100).fill(1000), '198.51.100.7')
  await database.close()
  const readAll = async (address: string, ...until: readonly string[]): Promise<string[]> => {
    const { said } = await run('audit', '--address', address, ...until)
    const [, next] = /^Older events match, too: add (--until \S+)$/m.exec(said) ?? []
    const lines = said.split('\n').filter((line) => line.includes('  login  '))
    return next === undefined ? lines : [...lines, ...(await readAll(address, ...next.split(' ')))]
  }
  t.equal(new Set(await readAll('203.0.113.7')).size, times.length)
  t.equal((await readAll('203.0.113.7')).length, times.length)
  t.equal(new Set(await readAll('198.51.100.7')).size, 1100)
})

void t.test('administers accounts while the service is stopped', async (t) => {
  const { target, environment } = await openInstallation(t)
  await addAccounts(target)
  const run = adminIn(environment)

  t.equal((await run('suspend', EMAIL, 'sends', 'advertising')).said, `${EMAIL} is now suspended.`)
  t.same(await run('grant', 'nobody@demo.test'), {
    code: 1,
    said: '',
    complained: 'No account has the e-mail address nobody@demo.test.',
  })
  const { prisma, close } = await openDatabase(target)
  t.match(await prisma.account.findUnique({ where: { email: EMAIL } }), { status: 'suspended' })
  await close()
})

void t.test('audits changes of privileges and suspensions', async (t) => {
  const world = await openWorld()
  const { id, email } = await world.person()
  const { store } = world.service.app.context
  const say = (...given: string[]): Promise<string> =>
    runCommand(parseCommand(given) as Parameters<typeof runCommand>[0], store, SETTINGS)

  t.equal(await say('grant', ` ${email.toUpperCase()}`), `${email} is now an administrator.`)
  t.equal(await say('grant', email), `${email} is already an administrator.`)
  t.match((await say('list')).split('\n').at(-1), `${id}  ${email} (no second factor)`)
  t.equal(await say('suspend', email, ' sends ', 'advertising'), `${email} is now suspended.`)
  t.equal(await say('suspend', email.replace('@', '＠'), '😀'.repeat(500)), `${email} is already suspended.`)
  t.match((await say('list')).split('\n').at(-1), `${email} (suspended, no second factor)`)
  t.equal(await say('restore', email), `${email} is no longer suspended.`)
  t.equal(await say('restore', email), `${email} is not suspended.`)
  t.equal(await say('revoke', email), `${email} is no longer an administrator.`)
  t.equal(await say('revoke', email), `${email} is not an administrator.`)
  const common = { actorId: null, subject: 'command line' }
  t.same(await eventsOf(world, id), [
    { event: 'admin_granted', reason: null, ...common },
    { event: 'user_suspended', reason: 'sends advertising', ...common },
    { event: 'user_restored', reason: null, ...common },
    { event: 'admin_revoked', reason: null, ...common },
  ])
})

void t.test('marks an e-mail address as verified, by id or by address', async (t) => {
  const world = await openWorld()
  const { store } = world.service.app.context
  const person = await world.person({ isEmailVerified: false, isPhoneVerified: false })
  const { prisma } = world.service.database
  for (const given of [String(person.id), person.email.toUpperCase()]) {
    await prisma.account.update({ where: { id: person.id }, data: { emailVerifiedAt: null, emailRecoversFrom: null } })
    const command = parseCommand(['verify-email', given])
    if (command.name !== 'verify-email') throw new Error(command.name)
    t.equal(await runCommand(command, store, SETTINGS), `The e-mail address of account ${person.id} is now verified.`)
    const { emailVerifiedAt, emailRecoversFrom } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
    t.ok(emailVerifiedAt && emailRecoversFrom)
  }
  const where = { accountId: person.id, event: 'email_marked_verified' }
  t.equal(await prisma.auditEvent.count({ where }), 2)
  const { id } = await world.person()
  await world.service.database.prisma.account.update({ where: { id }, data: { email: 'account-x@released.invalid' } })
  await t.rejects(runCommand({ name: 'verify-email', account: id }, store, SETTINGS), {
    message: `Account ${id} has no e-mail address: its address was released.`,
  })
  await t.rejects(runCommand({ name: 'verify-email', account: 999_999 }, store, SETTINGS), {
    message: 'There is no account with the id 999999.',
  })
  await t.rejects(runCommand({ name: 'verify-email', account: 'x@example.org' }, store, SETTINGS), {
    message: /^No account has/,
  })
})

void t.test('removes the second factors of an account, ends its sessions and informs its owner', async (t) => {
  const world = await openWorld()
  const { context } = world.service.app
  const { store } = context
  const { prisma } = world.service.database
  const { person, token } = await protectedPerson(world)
  for (const expected of ['has no second factor any more, and its sessions have ended', 'has no second factor']) {
    const command = parseCommand(['reset-factors', person.email])
    if (command.name !== 'reset-factors') throw new Error(command.name)
    t.equal(
      await runCommand(command, store, { ...SETTINGS, openMails: () => context }),
      `Account ${person.id} ${expected}.`,
    )
  }
  t.equal((await world.send('checkToken')({ token })).status, 401)
  t.same((await world.send('getFactors')({ token: await person.token() })).body.data, {
    passkeys: [],
    totp_added_at: null,
    recovery_codes_left: 0,
    reset_at: null,
  })
  t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'factors_removed' } }), 1)
  const subjects = (await mailsTo(world, person.email)).map(({ subject }) => subject)
  t.same(subjects, ['Your second factors were removed', 'An authenticator app was added'])
})

void t.test('informs the other administrators of an administrator whose factors it removes', async (t) => {
  const world = await openWorld()
  const { context } = world.service.app
  const [administrator, other] = [await world.person({ isAdmin: true }), await world.person({ isAdmin: true })]
  await protect(world, administrator)
  const command = parseCommand(['reset-factors', administrator.email]) as Parameters<typeof runCommand>[0]
  await runCommand(command, context.store, { ...SETTINGS, openMails: () => context })
  const [notice] = await mailsTo(world, other.email)
  t.match(notice, { subject: 'The second factors of an administrator were removed', text: administrator.email })
  const own = (await mailsTo(world, administrator.email)).map(({ subject }) => subject)
  t.same(own, ['Your second factors were removed'])
})

void t.test('prints the help', async (t) => {
  const { code, said } = await adminIn({})('help')
  t.equal(code, 0)
  for (const word of [
    'list',
    'grant',
    'revoke',
    'suspend',
    'restore',
    'verify-email',
    'reset-factors',
    'enrollment-code',
    'mails --failed',
    'rotate-keys',
    'npm run -s keys',
  ])
    t.match(said, word)
  for (const given of [['--help'], ['grant', '-h']]) t.same(parseCommand(given), { name: 'help' })
})

void t.test('rejects invalid command lines', async (t) => {
  const { code, said, complained } = await adminIn({})('promote', EMAIL)
  t.same([code, said], [2, ''])
  t.equal(complained, 'Unknown command: promote.\nFor help, run npm run admin -- help.')
  const wrong: [string[], RegExp][] = [
    [[], /^No command was given/],
    [['grant'], /^grant requires an e-mail address/],
    [['reset-factors'], /^reset-factors requires an account id or an e-mail address/],
    [['grant', 'client'], /^client is not an e-mail address/],
    [['grant', EMAIL, 'now'], /^grant does not accept the argument now/],
    [['verify-email', '0'], /^0 is not an e-mail address/],
    [['list', EMAIL], /^list does not accept the argument/],
    [['suspend', EMAIL], /^suspend requires a reason/],
    [['suspend', EMAIL, 'a\u009Bb'], /^The reason contains control characters/],
    [['suspend', EMAIL, '\u2060'], /^The reason has no visible character/],
    [['suspend', EMAIL, 'x'.repeat(501)], /more than 500 characters/],
    [['rotate-keys', 'now'], /^Unknown keys: now\. Use one of tokens, codes, links, refresh-tokens/],
    [['rotate-keys', 'refresh_tokens'], /^Unknown keys: refresh_tokens/],
    [['rotate-keys', 'codes', 'links'], /^rotate-keys does not accept the argument links/],
    [['rotate-keys', '--algorithm', 'RS256'], /^Unknown algorithm: RS256\. Use one of EdDSA, ES256\.$/],
    [['rotate-keys', 'codes', '--algorithm', 'ES256'], /^Only keys of tokens have an --algorithm\./],
    [['list', '--algorithm', 'ES256'], /^The option --algorithm is only valid with rotate-keys/],
    [['mails', '--failed', '--retry'], /^E-mails that have failed are not retried/],
    [['list', '--failed'], /^The option --failed is only valid with mails/],
    [['list', '--prepare'], /^The option --prepare is only valid with rotate-keys/],
    [['--force'], /^Unknown option '--force'$/],
  ]
  for (const [given, complaint] of wrong) {
    const misuse = { name: 'UsageError', message: complaint }
    t.throws(() => parseCommand(given), misuse, given.join(' '))
  }
})

void t.test('reports a missing and an unreachable database', async (t) => {
  const nowhere = await adminIn({ DATA_DIR: temporaryFolder() })('list')
  t.equal(nowhere.code, 1)
  t.match(nowhere.complained, /^There is no database in .*Start the service once/)
  const away = await adminIn({ DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x' })('list')
  t.equal(away.code, 1)
  t.match(away.complained, /Cannot use the database x at 127\.0\.0\.1:1/)
  for (const { complained } of [nowhere, away]) t.notMatch(complained, /secret|^ +at /m, 'no password, no stack')
})

void t.test('reports an embedded database in use by the service', async (t) => {
  const folder = await pooledDirectory(t)
  const database = await openDatabase({ directory: folder })
  const { code, said, complained } = await spawnAdmin({ DATA_DIR: folder }, 'list')
  t.same([code, said], [1, ''])
  t.match(complained, /^The data directory .* is in use by process \d+\. .*one process at a time/)
  t.match(complained, 'Stop the service first')
  t.notMatch(complained, /^ +at /m, 'no stack')
  await database.close()
})
