// npm run admin -- sweep-files and adopt-files, as an operator runs them.
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseCommand } from '../../../src/cli/admin/arguments.ts'
import { adminIn } from '../../support/processes/admin-command.ts'
import { doctorIn } from '../../support/processes/commands.ts'
import { startHere, startHereExpectingFailure } from '../../support/processes/here.ts'
import { openInstallation } from '../../support/processes/installation.ts'

const HOURS_AGO = new Date(Date.now() - 2 * 3_600_000)

void t.test('previews a sweep, sweeps, and binds a store again', async (t) => {
  const { environment } = await openInstallation(t)
  await (await startHere(environment)).close()
  const run = adminIn(environment)
  const files = join(environment.DATA_DIR, 'files')
  const marker = join(files, 'tawthiq-store.json')
  const demoFiles = readdirSync(files).filter((name) => !marker.endsWith(name))
  const orphan = randomUUID()
  for (const name of [orphan, 'holiday.jpg']) {
    writeFileSync(join(files, name), '')
    utimesSync(join(files, name), HOURS_AGO, HOURS_AGO)
  }
  const before = readFileSync(marker, 'utf8')

  const dry = await run('sweep-files', '--dry-run')
  t.equal(dry.code, 0)
  t.match(dry.said, `contains ${demoFiles.length + 1} files.\nOther objects, which are never changed: 1`)
  t.match(dry.said, `Would be scheduled for deletion in 7 days: 1\n  ${orphan}`)
  t.match(dry.said, 'Nothing was changed.')
  t.equal(readFileSync(marker, 'utf8'), before)

  t.match((await run('sweep-files')).said, `Scheduled for deletion in 7 days: 1\n  ${orphan}`)
  t.match((await run('sweep-files')).said, 'Already scheduled for deletion: 1')
  t.ok(existsSync(join(files, orphan)))

  writeFileSync(marker, before.replace(/[0-9a-f-]{36}/, randomUUID()))
  const refused = await run('sweep-files')
  t.equal(refused.code, 1)
  t.match(refused.complained, /^The directory .* belongs to another database\. Nothing was changed\./)
  t.notMatch(refused.complained, /^ +at /m, 'no stack')
  t.match(await startHereExpectingFailure(environment), 'belongs to another database')

  t.match((await run('adopt-files')).said, /belongs to another database\. It contains [\s\S]*Nothing was changed\./)
  t.match((await run('adopt-files', '--yes')).said, 'It now belongs to this database.')
  t.equal((await run('sweep-files', '--dry-run')).code, 0)
  await (await startHere(environment)).close()
  t.ok(existsSync(join(files, 'holiday.jpg')))
})

void t.test('sweeps nothing while another copy of the database holds the store, until it is adopted', async (t) => {
  const { environment } = await openInstallation(t)
  await (await startHere(environment)).close()
  const run = adminIn(environment)
  const doctor = async (): Promise<string> => (await doctorIn(environment)()).said
  const marker = join(environment.DATA_DIR, 'files', 'tawthiq-store.json')
  t.match(await doctor(), /^ok +deletion +this database holds the file store \(.+, renewed at 20/m)

  const holder = { name: 'live at 10.0.0.9:5432, used by host app-1', fingerprint: null, renewed_at: '2026-01-01' }
  const before = JSON.parse(readFileSync(marker, 'utf8')) as object
  writeFileSync(marker, JSON.stringify({ ...before, epoch: randomUUID(), holder }))
  const refused = await run('sweep-files')
  t.match(refused, { code: 1, complained: /^Another copy of this database/ })
  t.match((await run('sweep-files', '--dry-run')).said, /Nothing was changed\.\nAnother copy of this database/)
  t.match(
    await doctor(),
    /^FAILED +deletion +no file is deleted: .*Holder: live at 10\.0\.0\.9:5432, used by host app-1, renewed at/m,
  )

  t.match((await run('adopt-files', '--yes')).said, /belongs to another copy of this database[^]*It now belongs/)
  t.equal((await run('sweep-files')).code, 0)
  t.match(await doctor(), /^ok +deletion /m)
})

void t.test('lists the files that are missing', async (t) => {
  const { environment } = await openInstallation(t)
  await (await startHere(environment)).close()
  const run = adminIn(environment)
  const files = join(environment.DATA_DIR, 'files')
  const [missing = '', ...others] = readdirSync(files).filter((name) => name !== 'tawthiq-store.json')
  t.match(await run('check-files'), {
    code: 0,
    said: `The directory ${files} has all files that the database names: ${others.length + 1}`,
  })
  rmSync(join(files, missing))
  const { code, complained } = await run('check-files')
  t.equal(code, 1)
  t.match(complained, `lacks 1 of the ${others.length + 1} files that the database names.\nMissing: 1\n  ${missing} (`)
  t.ok(others.every((name) => !complained.includes(name)))
})

void t.test('rejects invalid command lines', (t) => {
  const wrong: [string[], RegExp][] = [
    [['sweep-files', 'now'], /^sweep-files does not accept the argument now/],
    [['sweep-files', '--max', 'many'], /^--max must be a whole number/],
    [['list', '--dry-run'], /^The option --dry-run is only valid with sweep-files/],
    [['sweep-files', '--yes'], /^The option --yes is only valid with adopt-files/],
  ]
  for (const [given, complaint] of wrong) {
    t.throws(() => parseCommand(given), { name: 'UsageError', message: complaint }, given.join(' '))
  }
  t.end()
})
