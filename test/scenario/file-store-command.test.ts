// npm run admin -- sweep-files and adopt-files, as an operator runs them.
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandOf } from '../../src/command-line/arguments.ts'
import { adminIn } from '../support/admin-command.ts'
import { start, startInVain, temporaryFolder } from '../support/process.ts'
import { ownDatabase } from '../support/service.ts'

const HOURS_AGO = new Date(Date.now() - 2 * 3_600_000)

void t.test('an operator looks at a sweep, sweeps, and binds a store again', async (t) => {
  const { url, drop } = await ownDatabase()
  t.teardown(() => drop())
  const folder = temporaryFolder()
  const environment = url === undefined ? { DATA_DIR: folder } : { DATA_DIR: folder, DATABASE_URL: url }
  await (await start(environment)).kill('SIGTERM')
  const run = adminIn(environment)
  const files = join(folder, 'files')
  const marker = join(files, 'tawthiq-store.json')
  const demoFiles = readdirSync(files).filter((name) => !marker.endsWith(name))
  const orphan = randomUUID()
  for (const name of [orphan, 'holiday.jpg']) {
    writeFileSync(join(files, name), '')
    utimesSync(join(files, name), HOURS_AGO, HOURS_AGO)
  }
  const before = readFileSync(marker, 'utf8')

  const dry = run('sweep-files', '--dry-run')
  t.equal(dry.code, 0)
  t.match(dry.said, `holds ${demoFiles.length + 1} files.\nOther objects, which are never touched: 1`)
  t.match(dry.said, `Would be scheduled for deletion in 7 days: 1\n  ${orphan}`)
  t.match(dry.said, 'Nothing was changed.')
  t.equal(readFileSync(marker, 'utf8'), before)

  t.match(run('sweep-files').said, `Scheduled for deletion in 7 days: 1\n  ${orphan}`)
  t.match(run('sweep-files').said, 'Already scheduled for deletion: 1')
  t.ok(existsSync(join(files, orphan)))

  writeFileSync(marker, before.replace(/[0-9a-f-]{36}/, randomUUID()))
  const refused = run('sweep-files')
  t.equal(refused.code, 1)
  t.match(refused.complained, /^The folder .* belongs to another database, so nothing was read or changed there\./)
  t.notMatch(refused.complained, /^ +at /m, 'no stack')
  const vain = await startInVain(environment)
  t.equal(vain.code, 1)
  t.match(vain.output, 'belongs to another database')

  t.match(run('adopt-files').said, /belongs to another database\. It holds [\s\S]*Nothing was changed\./)
  t.match(run('adopt-files', '--yes').said, 'It belongs to this database now.')
  t.equal(run('sweep-files', '--dry-run').code, 0)
  await (await start(environment)).kill('SIGTERM')
  t.ok(existsSync(join(files, 'holiday.jpg')))
})

void t.test('what is not understood', (t) => {
  const wrong: [string[], RegExp][] = [
    [['sweep-files', 'now'], /^sweep-files takes nothing more/],
    [['sweep-files', '--max', 'many'], /^--max takes a whole number/],
    [['list', '--dry-run'], /^Only sweep-files takes --dry-run/],
    [['sweep-files', '--yes'], /^Only adopt-files takes --yes/],
  ]
  for (const [given, complaint] of wrong) {
    t.throws(() => commandOf(given), { name: 'Misuse', message: complaint }, given.join(' '))
  }
  t.end()
})
