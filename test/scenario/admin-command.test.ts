// npm run admin, as an operator runs it.
import t from 'tap'
import { commandOf } from '../../src/command-line/arguments.ts'
import { perform } from '../../src/command-line/commands.ts'
import { openDatabase } from '../../src/store/database.ts'
import { addDemoAccounts } from '../../src/store/demo.ts'
import { adminIn } from '../support/admin-command.ts'
import { eventsOf } from '../support/administration.ts'
import { start, temporaryFolder } from '../support/process.ts'
import { ownDatabase } from '../support/service.ts'
import { openWorld } from '../support/world.ts'

const EMAIL = 'client@demo.test'

void t.test('an operator on the server, where the service does not run', async (t) => {
  const { url, drop } = await ownDatabase()
  t.teardown(() => drop())
  const folder = temporaryFolder()
  const place = url === undefined ? { folder } : { url, connectionsMax: 2 }
  const first = await openDatabase(place)
  await addDemoAccounts(first)
  await first.close()
  const run = adminIn(url === undefined ? { DATA_DIR: folder } : { DATA_DIR: folder, DATABASE_URL: url })

  t.same(run('list'), { code: 0, said: '3  admin@demo.test', complained: '' })
  t.equal(run('suspend', EMAIL, 'sends', 'advertising').said, `${EMAIL} is suspended now.`)
  t.same(run('grant', 'nobody@demo.test'), {
    code: 1,
    said: '',
    complained: 'No account has the e-mail address nobody@demo.test.',
  })
  const { prisma, close } = await openDatabase(place)
  t.match(await prisma.account.findUnique({ where: { email: EMAIL } }), { status: 'suspended' })
  await close()
})

void t.test('privileges and suspensions, each in the audit trail', async (t) => {
  const world = await openWorld()
  const { id, email } = await world.person()
  const { store } = world.service.app.context
  const say = (...given: string[]): Promise<string> => perform(commandOf(given) as Parameters<typeof perform>[0], store)

  t.equal(await say('grant', ` ${email.toUpperCase()}`), `${email} is an administrator now.`)
  t.equal(await say('grant', email), `${email} is an administrator already.`)
  t.match((await say('list')).split('\n').at(-1), `${id}  ${email}`)
  t.equal(await say('suspend', email, ' sends ', 'advertising'), `${email} is suspended now.`)
  t.equal(await say('suspend', email, 'once more'), `${email} is suspended already.`)
  t.match((await say('list')).split('\n').at(-1), `${email} (suspended)`)
  t.equal(await say('restore', email), `${email} may be used again.`)
  t.equal(await say('restore', email), `${email} is not suspended.`)
  t.equal(await say('revoke', email), `${email} is no administrator any more.`)
  t.equal(await say('revoke', email), `${email} is no administrator.`)
  const common = { actorId: null, subject: 'command line' }
  t.same(await eventsOf(world, id), [
    { event: 'admin_granted', reason: null, ...common },
    { event: 'user_suspended', reason: 'sends advertising', ...common },
    { event: 'user_restored', reason: null, ...common },
    { event: 'admin_revoked', reason: null, ...common },
  ])
})

void t.test('an operator marks an e-mail address as verified, by id or by address', async (t) => {
  const world = await openWorld()
  const { store } = world.service.app.context
  const person = await world.person({ isEmailVerified: false, isPhoneVerified: false })
  const { prisma } = world.service.database
  for (const given of [String(person.id), person.email.toUpperCase()]) {
    await prisma.account.update({ where: { id: person.id }, data: { emailVerifiedAt: null, emailRecoversFrom: null } })
    const command = commandOf(['verify-email', given])
    if (command.name !== 'verify-email') throw new Error(command.name)
    t.equal(await perform(command, store), `The e-mail address of the account ${person.id} is verified now.`)
    const { emailVerifiedAt, emailRecoversFrom } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
    t.ok(emailVerifiedAt && emailRecoversFrom)
  }
  const where = { accountId: person.id, event: 'email_marked_verified' }
  t.equal(await prisma.auditEvent.count({ where }), 2)
  await t.rejects(perform({ name: 'verify-email', account: 999_999 }, store), {
    message: 'There is no account 999999.',
  })
  await t.rejects(perform({ name: 'verify-email', account: 'x@example.org' }, store), { message: /^No account has/ })
})

void t.test('help', async (t) => {
  const { code, said } = adminIn({})('help')
  t.equal(code, 0)
  for (const word of [
    'list',
    'grant',
    'revoke',
    'suspend',
    'restore',
    'verify-email',
    'rotate-keys',
    'npm run -s keys',
  ])
    t.match(said, word)
  for (const given of [['--help'], ['grant', '-h']]) t.same(commandOf(given), { name: 'help' })
})

void t.test('what is not understood', async (t) => {
  const { code, said, complained } = adminIn({})('promote', EMAIL)
  t.same([code, said], [2, ''])
  t.equal(complained, 'There is no command promote.\nnpm run admin -- help tells how it is used.')
  const wrong: [string[], RegExp][] = [
    [[], /^A command is missing/],
    [['grant'], /^grant needs an e-mail address/],
    [['grant', 'client'], /^client is no e-mail address/],
    [['grant', EMAIL, 'now'], /^grant takes nothing more, but here is now/],
    [['verify-email', '0'], /^0 is no e-mail address/],
    [['list', EMAIL], /^list takes nothing more/],
    [['suspend', EMAIL], /^suspend needs a reason/],
    [['suspend', EMAIL, 'a\u009Bb'], /^The reason contains control characters/],
    [['suspend', EMAIL, '\u2060'], /^The reason has no visible character/],
    [['suspend', EMAIL, 'x'.repeat(501)], /more than 500 characters/],
    [
      ['rotate-keys', 'now'],
      /^There are no keys called now\. rotate-keys takes one of tokens, codes, links, refresh-tokens/,
    ],
    [['rotate-keys', 'refresh_tokens'], /^There are no keys called refresh_tokens/],
    [['rotate-keys', 'codes', 'links'], /^rotate-keys takes nothing more, but here is links/],
    [['list', '--prepare'], /^Only rotate-keys takes --prepare/],
    [['--force'], /^Unknown option '--force'$/],
  ]
  for (const [given, complaint] of wrong) {
    const misuse = { name: 'Misuse', message: complaint }
    t.throws(() => commandOf(given), misuse, given.join(' '))
  }
})

void t.test('a database that is not there, and one that cannot be reached', async (t) => {
  const nowhere = adminIn({ DATA_DIR: temporaryFolder() })('list')
  t.equal(nowhere.code, 1)
  t.match(nowhere.complained, /^There is no database in .*Start the service once/)
  const away = adminIn({ DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x' })('list')
  t.equal(away.code, 1)
  t.match(away.complained, /The database x at 127\.0\.0\.1:1 cannot be used/)
  for (const { complained } of [nowhere, away]) t.notMatch(complained, /secret|^ +at /m, 'no password, no stack')
})

void t.test('an embedded database that the service has', async (t) => {
  const folder = temporaryFolder()
  const service = await start({ DATA_DIR: folder })
  const { code, said, complained } = adminIn({ DATA_DIR: folder })('list')
  t.same([code, said], [1, ''])
  t.match(complained, /^The data directory .* is in use by process \d+\. .*one process at a time/)
  t.match(complained, 'stop the service first')
  t.notMatch(complained, /^ +at /m, 'no stack')
  await service.kill('SIGTERM')
})
