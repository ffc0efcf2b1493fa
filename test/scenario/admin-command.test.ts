// npm run admin, as an operator runs it.
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import t from 'tap'
import { openDatabase } from '../../src/store/database.ts'
import { addDemoAccounts } from '../../src/store/demo.ts'
import { start, temporaryFolder } from '../support/process.ts'
import { ownDatabase } from '../support/service.ts'

const ADMIN = new URL('../../src/admin.js', import.meta.url).pathname
const EMAIL = 'client@demo.test'

type Run = (...given: string[]) => { code: number | null; said: string; complained: string }

function runIn(environment: Record<string, string>): Run {
  const { PATH = '' } = process.env
  return (...given) => {
    const options = { cwd: tmpdir(), env: { PATH, ...environment }, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, [ADMIN, ...given], options)
    return { code: status, said: stdout.trim(), complained: stderr.trim() }
  }
}

void t.test('privileges and suspensions, on a database with accounts', async (t) => {
  const { url, drop } = await ownDatabase()
  t.teardown(() => drop())
  const folder = temporaryFolder()
  const place = url === undefined ? { folder } : { url, connectionsMax: 2 }
  const first = await openDatabase(place)
  await addDemoAccounts(first)
  await first.close()
  const run = runIn(url === undefined ? { DATA_DIR: folder } : { DATA_DIR: folder, DATABASE_URL: url })

  t.same(run('list'), { code: 0, said: '3  admin@demo.test', complained: '' })
  t.equal(run('grant', ` ${EMAIL.toUpperCase()}`).said, `${EMAIL} is an administrator now.`)
  t.equal(run('grant', EMAIL).said, `${EMAIL} is an administrator already.`)
  t.match(run('list').said, /^ *1 {2}client@demo\.test\n *3 {2}admin@demo\.test$/)
  t.equal(run('revoke', EMAIL).said, `${EMAIL} is no administrator any more.`)
  t.equal(run('revoke', EMAIL).said, `${EMAIL} is no administrator.`)
  t.equal(run('suspend', EMAIL, 'sends', 'advertising').said, `${EMAIL} is suspended now.`)
  t.equal(run('suspend', EMAIL, 'once more').said, `${EMAIL} is suspended already.`)
  t.equal(run('restore', EMAIL).said, `${EMAIL} may be used again.`)
  t.equal(run('restore', EMAIL).said, `${EMAIL} is not suspended.`)
  t.same(run('grant', 'nobody@demo.test'), {
    code: 1,
    said: '',
    complained: 'No account has the e-mail address nobody@demo.test.',
  })

  const { prisma, close } = await openDatabase(place)
  const events = await prisma.auditEvent.findMany({ orderBy: { id: 'asc' } })
  const common = { accountId: 1, actorId: null, subject: 'command line', address: null, requestId: null }
  t.match(events, [
    { event: 'admin_granted', ...common },
    { event: 'admin_revoked', ...common },
    { event: 'user_suspended', reason: 'sends advertising', ...common },
    { event: 'user_restored', ...common },
  ])
  t.equal(events.length, 4)
  await close()
})

void t.test('help, and what is not understood', async (t) => {
  const run = runIn({ DATA_DIR: temporaryFolder() })
  for (const given of [['help'], ['--help'], ['grant', '-h']]) {
    const { code, said } = run(...given)
    t.equal(code, 0)
    for (const word of ['list', 'grant', 'revoke', 'suspend', 'restore', 'npm run -s keys']) t.match(said, word)
  }
  const wrong: [string[], RegExp][] = [
    [[], /A command is missing/],
    [['promote', EMAIL], /There is no command promote/],
    [['grant'], /grant needs an e-mail address/],
    [['grant', 'client'], /client is no e-mail address/],
    [['grant', EMAIL, 'now'], /grant takes nothing more, but here is now/],
    [['list', EMAIL], /list takes nothing more/],
    [['suspend', EMAIL], /suspend needs a reason/],
    [['suspend', EMAIL, 'x'.repeat(501)], /more than 500 characters/],
    [['--force'], /Unknown option '--force'/],
  ]
  for (const [given, complaint] of wrong) {
    const { code, said, complained } = run(...given)
    t.same([code, said], [2, ''], given.join(' '))
    t.match(complained, complaint)
    t.match(complained, /npm run admin -- help/)
    t.notMatch(complained, /^ +at /m, 'no stack')
  }
})

void t.test('a database that is not there, and one that cannot be reached', async (t) => {
  const nowhere = runIn({ DATA_DIR: temporaryFolder() })('list')
  t.equal(nowhere.code, 1)
  t.match(nowhere.complained, /^There is no database in .*Start the service once/)
  const away = runIn({ DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x' })('list')
  t.equal(away.code, 1)
  t.match(away.complained, /The database x at 127\.0\.0\.1:1 cannot be used/)
  const misled = runIn({ DATABASE_URL: 'mysql://x' })('list')
  t.equal(misled.code, 1)
  t.match(misled.complained, /DATABASE_URL: its value is not accepted/)
  for (const { complained } of [nowhere, away, misled])
    t.notMatch(complained, /secret|^ +at /m, 'no password, no stack')
})

void t.test('an embedded database that the service has', async (t) => {
  const folder = temporaryFolder()
  const service = await start({ DATA_DIR: folder })
  const { code, said, complained } = runIn({ DATA_DIR: folder })('list')
  t.same([code, said], [1, ''])
  t.match(complained, /^The data directory .* is in use by process \d+\. .*one process at a time/)
  t.match(complained, 'stop the service first')
  t.notMatch(complained, /^ +at /m, 'no stack')
  await service.kill('SIGTERM')
  t.equal(runIn({ DATA_DIR: folder })('list').code, 0)
})
