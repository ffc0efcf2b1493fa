// npm run import: imports the accounts of another system.
import bcrypt from 'bcryptjs'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import t from 'tap'
import { imports } from '../../../src/store/imports/index.ts'
import { runHere, type Ended } from '../../support/processes/command.ts'
import { startHere } from '../../support/processes/here.ts'
import { IMPORT, openSite, reported, untilLong } from '../../support/processes/import.ts'
import { openProcessInstallation } from '../../support/processes/installation.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { sender } from '../../support/service/sender.ts'

const PASSWORD = 'old horse battery'
const ADDRESS = '10.0.0.1'
const HASH = bcrypt.hashSync(PASSWORD, 4)
const hashOf = (prefix: string): string => `$${prefix}$${HASH.slice(4)}`

const COLUMNS =
  'email,password_hash,phone_code,phone,account_type,name,first_name,second_name,third_name,fourth_name,phone_verified,created_at'

void t.test('imports clients and lawyers from CSV and JSON lines, who can then log in', async (t) => {
  const site = await openSite(t)
  const csv = site.file(
    'people.csv',
    `\uFEFF${[
      COLUMNS,
      ` Nouf@Example.org,${hashOf('2a')},966,0512345678,client,"الشهري, ""نوف""",,,,,t,2020-05-17T08:30:00+03:00`,
      `fahad@example.org,${hashOf('2b')},+٩٦٦,٠٥١٢٣٤٥٦٧٩,lawyer,,فهد,سالم,,الدوسري,TRUE,`,
      '',
      `nouf@example.org,${hashOf('2b')},966,0512345670,client,Nouf,,,,,,`,
      `other@example.org,${hashOf('2b')},966,0512345679,client,Other,,,,,true,`,
      `nouf@example.org,${hashOf('2b')},966,0512345679,client,Both,,,,,true,`,
      `other@example.org,${hashOf('2b')},966,0512345671,client,Now free,,,,,no,`,
      `x,secret,966,0112345678,client,,فهد,,,,perhaps,2020-02-30T00:00:00Z`,
      `cost@example.org,$2b$16$${HASH.slice(7)},9999,1234,lawyer,,a,b,c,d,,2999-01-01T00:00:00Z`,
      `kind@example.org,${hashOf('2x')},966,05123,judge,,,,,,,`,
      `quote@example.org,"${hashOf('2b')},966,0512345672,client,Quote,,,,,,`,
      `few@example.org,${hashOf('2b')}`,
      `${'long'.repeat(5000)}@example.org,${hashOf('2b')},966,0512345673,client,Long,,,,,,`,
      `last@example.org,${hashOf('2b')},966,0512345679,client,Its number is not verified,,,,,,`,
    ].join('\r\n')}`,
  )
  const expected = [
    { line: 5, codes: { email: ['email_taken'] } },
    { line: 6, codes: { phone: ['phone_taken'] } },
    { line: 7, codes: { email: ['email_taken'], phone: ['phone_taken'] } },
    {
      line: 9,
      codes: {
        email: ['wrong_format'],
        password_hash: ['wrong_format'],
        phone: ['phone_not_mobile'],
        name: ['required'],
        first_name: ['unknown_field'],
        phone_verified: ['wrong_type'],
        created_at: ['wrong_format'],
      },
    },
    {
      line: 10,
      codes: { password_hash: ['too_large'], phone_code: ['phone_code_unknown'], created_at: ['not_allowed'] },
    },
    { line: 11, codes: { account_type: ['not_allowed'], password_hash: ['wrong_format'], phone: ['phone_invalid'] } },
    { line: 12, codes: { row: ['wrong_format'] } },
    { line: 13, codes: { row: ['too_few'] } },
    { line: 14, codes: { row: ['too_long'] } },
  ]
  const linesOf = (path: string): object[] => reported(path).map(({ line, codes }) => ({ line, codes }))

  const rehearsed = await site.run(csv, '--dry-run')
  t.equal(rehearsed.code, 3)
  t.match(rehearsed.said, /^Dry run, nothing was written\. The import would give: 13 rows, 4 imported, 9 rejected\.\n/)
  t.same(linesOf(`${csv}.dry-run.rejected.jsonl`), expected)

  const done = await site.run(csv) // which imports the same rows, since the dry run has written nothing
  t.equal(done.code, 3)
  t.match(done.said, /^Completed: 13 rows, 4 imported, 9 rejected\.\n/)
  t.match(done.said, /\n +2 {2}phone: phone_taken\n/)
  t.match(done.said, `${csv}.rejected.jsonl`)
  t.match(done.complained, /100% \| 13 rows \| .* \| 9 rejected/)
  t.same(linesOf(`${csv}.rejected.jsonl`), expected)
  t.equal(reported(`${csv}.rejected.jsonl`)[0]?.email, 'nouf@example.org')
  t.notMatch(readFileSync(`${csv}.rejected.jsonl`, 'utf8'), /\$2/, 'no hashes')
  t.equal(statSync(`${csv}.rejected.jsonl`).mode & 0o777, 0o600)

  const jsonLines = site.file(
    'people.jsonl',
    [
      {
        email: 'sami@example.org',
        password_hash: hashOf('2y'),
        phone_code: '20',
        phone: '01012345678',
        account_type: 'client',
        name: 'سامي',
        third_name: null,
        phone_verified: false,
      },
      { email: 'nouf@example.org', password_hash: HASH, account_type: 'client', phone_code: 966, mobile: '1' },
      ['none'],
      'none',
    ]
      .map((row) => (row === 'none' ? '{"email":' : JSON.stringify(row)))
      .join('\n'),
  )
  const report = `${site.folder}/elsewhere.jsonl`
  t.match((await site.run(jsonLines, '--report', report)).said, /^Completed: 4 rows, 1 imported, 3 rejected\./)
  t.same(
    reported(report).map(({ codes }) => codes),
    [
      { phone: ['required'], name: ['required'], phone_code: ['wrong_type'], mobile: ['unknown_field'] },
      { row: ['wrong_type'] },
      { row: ['wrong_format'] },
    ],
  )

  const again = await site.run(csv)
  t.equal(again.code, 3)
  t.match(
    again.said,
    /^This file was already imported, at 20.*: 13 rows, 4 imported, 9 rejected\. Nothing was changed\./,
  )

  const rows = await site.query(async ({ prisma }) => ({
    accounts: await prisma.account.findMany({ include: { profile: true, lawyer: true }, orderBy: { id: 'asc' } }),
    events: await prisma.auditEvent.findMany({ where: { event: 'account_imported' }, orderBy: { accountId: 'asc' } }),
    sessions: await prisma.session.count(),
  }))
  t.match(rows.accounts, [
    {
      email: 'nouf@example.org',
      phone: '+966512345678',
      phoneCode: '966',
      phoneVerifiedAt: new Date('2020-05-17T05:30:00Z'),
      phoneRecoversFrom: new Date('2020-05-17T05:30:00Z'),
      passwordHash: hashOf('2a'),
      createdAt: new Date('2020-05-17T05:30:00Z'),
      emailVerifiedAt: null,
      profile: { name: 'الشهري, "نوف"' },
      lawyer: null,
    },
    {
      email: 'fahad@example.org',
      phone: '+966512345679',
      accountType: 'lawyer',
      phoneVerifiedAt: Date,
      phoneRecoversFrom: Date,
      profile: { name: 'فهد سالم الدوسري' },
      lawyer: { firstName: 'فهد', thirdName: null, reviewStatus: 'pending' },
    },
    {
      email: 'other@example.org',
      phone: '+966512345671',
      phoneVerifiedAt: null,
      phoneRecoversFrom: null,
      profile: { name: 'Now free' },
    },
    { email: 'last@example.org', emailVerifiedAt: null },
    { email: 'sami@example.org', phone: '+201012345678', passwordHash: hashOf('2y') },
  ])
  t.same(
    rows.events.map(({ accountId, subject }) => [accountId, subject]),
    rows.accounts.map(({ id }) => [id, 'command line']),
  )
  t.equal(rows.sessions, 0)

  const service = await startHere(site.environment)
  for (const email of ['nouf@example.org', 'fahad@example.org', 'sami@example.org']) {
    const { status, body } = await sender(service.origin, 'login', ADDRESS)({ json: { email, password: PASSWORD } })
    t.equal(status, 200, email)
    const { token } = (body.data as { account: { token: string } }).account
    const headers = { authorization: `Bearer ${token}` }
    t.match((await sender(service.origin, 'getProfile', ADDRESS)({ headers })).body.data, {
      user: { profile_complete: false },
    })
  }
  const wrong = await sender(
    service.origin,
    'login',
    ADDRESS,
  )({ json: { email: 'nouf@example.org', password: 'another' } })
  t.equal(wrong.status, 401)
  await service.close()
})

const IS_EMBEDDED = process.env['DATABASE_URL'] === undefined
/** More than one batch. The embedded database writes a row in a millisecond. */
const ROWS = IS_EMBEDDED ? 600 : 6000
const SIGNALS: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', ...(IS_EMBEDDED ? [] : (['SIGKILL'] as const))]

/** Every fiftieth row is rejected, and every third one repeats the number of the row before. */
function crowd(): { text: string; accounts: string[]; refused: number[] } {
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    email: index % 50 === 7 ? 'nobody' : `person-${index}@example.org`,
    phone: `05${String(10_000_000 + (index % 3 === 2 ? index - 1 : index)).padStart(8, '0')}`,
    isWrong: index % 50 === 7,
    isTaken: index % 3 === 2 && (index - 1) % 50 !== 7,
  }))
  const lines = rows.map(({ email, phone }) => `${email},${HASH},966,${phone},client,Person,true`)
  return {
    text: `email,password_hash,phone_code,phone,account_type,name,phone_verified\n${lines.join('\n')}\n`,
    accounts: rows.filter(({ isWrong, isTaken }) => !isWrong && !isTaken).map(({ email }) => email),
    refused: rows.flatMap(({ isWrong, isTaken }, index) => (isWrong || isTaken ? [index + 2] : [])),
  }
}

void t.test('resumes an import that is killed repeatedly', async (t) => {
  const site = await openSite(t, openProcessInstallation(t))
  const { text, accounts, refused } = crowd()
  const file = site.file('crowd.csv', text)
  const report = `${file}.rejected.jsonl`
  const known = (): number => statSync(report, { throwIfNoEntry: false })?.size ?? 0

  for (const signal of SIGNALS) {
    const running = site.begin(file)
    await untilLong(report, known() + 1 + Math.random() * ROWS * 10, running)
    running.child.kill(signal)
    const { code, said, complained } = await running.end
    if (signal === 'SIGTERM') {
      t.ok(code === 143 || code === 3, `ends with ${code}`)
      t.match(said, code === 143 ? /^Stopped: .*\nRun the same command again to continue\./ : /^Completed/)
    }
    t.notMatch(complained, /Error|Another/)
  }
  const last = await site.run(file)
  t.equal(last.code, 3)
  t.match(last.said, `${ROWS.toLocaleString('en')} rows, ${accounts.length.toLocaleString('en')} imported`)
  t.match(last.complained + last.said, /Resuming after row|already imported/)
  t.same(
    reported(report).map(({ line }) => line),
    refused,
    'each rejected row is reported once',
  )
  const rows = await site.query(({ prisma }) =>
    prisma.account.findMany({ include: { profile: true }, orderBy: { id: 'asc' } }),
  )
  t.same(
    rows.map(({ email }) => email),
    accounts,
    'each account is imported once',
  )
  t.ok(rows.every(({ profile }) => profile?.name === 'Person'))
})

void t.test('rejects a file that another process is importing', async (t) => {
  const site = await openSite(t)
  const text = crowd().text.split('\n').slice(0, 20).join('\n')
  const file = site.file('crowd.csv', text)
  await site.query(async (database) => {
    const own = await imports(database).open(createHash('sha256').update(text).digest('hex'), true)
    const { code, complained } = await site.run(file)
    t.equal(code, 1)
    t.match(complained, /^Another process is importing this file\.|in use by .*\nStop the service first\./s)

    const before = await own.state()
    await own.add([], before, async () => ({ ...before, rows: 10 }))
    await t.rejects(
      own.add([], before, async () => ({ ...before, rows: 20 })),
      { name: 'OtherImport' },
    )
    t.match(await own.state(), { rows: 10 })
    await own.close()
  })
})

void t.test('rejects wrong columns, missing reports and other files as report', async (t) => {
  const site = await openSite(t)
  const lines = crowd().text.split('\n').slice(0, 20)
  const file = site.file('crowd.csv', lines.join('\n'))
  const wrong = await site.run(site.file('wrong.csv', 'E-mail,password,phone,phone,name\n'))
  t.equal(wrong.code, 1)
  t.equal(
    wrong.complained,
    `The columns are invalid:
  Unknown column "E-mail". Did you mean email?
  Unknown column "password". Did you mean password_hash?
  The column phone is repeated.
  The column account_type is missing.
  The column email is missing.
  The column phone_code is missing.
  The column password_hash is missing.`,
  )
  const header = lines[0] ?? ''
  const solution = await site.run(site.file('solution.csv', `${header},challenge_response\n`))
  t.match(solution, { code: 1, complained: /Unknown column "challenge_response"\. The columns are (?!.*passkeys)/ })
  for (const text of ['', '\n\n']) {
    const { code, complained } = await site.run(site.file('empty.csv', text))
    t.same([code, complained], [1, 'The file is empty. Its first line must name the columns.'])
  }

  const precious = site.file('precious.txt', 'not a report')
  const refused = await site.run(file, '--report', precious)
  t.equal(refused.code, 1)
  t.match(refused.complained, /precious\.txt exists and is not a report/)
  t.equal(readFileSync(precious, 'utf8'), 'not a report')

  const lost = `${site.folder}/lost.jsonl`
  await site.query(async (database) => {
    const own = await imports(database).open(createHash('sha256').update(lines.join('\n')).digest('hex'), true)
    const before = await own.state()
    await own.add([], before, async () => ({ ...before, rows: 3, refused: 3, report: { path: lost, bytes: 300 } }))
    await own.close()
  })
  const stopped = await site.run(file)
  t.equal(stopped.code, 1)
  t.match(stopped.complained, `The report of this import no longer exists: ${lost}`)
  const elsewhere = await site.run(file, '--report', `${site.folder}/new.jsonl`)
  t.match(elsewhere.complained, 'Resuming after row 3')
  t.same(
    reported(`${site.folder}/new.jsonl`).map(({ line }) => line),
    [7, 9, 13, 16, 19],
  )
  t.notOk(existsSync(lost))
})

void t.test('rejects invalid command lines and a missing database', async (t) => {
  const folder = temporaryFolder()
  const run = (...given: string[]): Promise<Ended> => runHere(IMPORT, { DATA_DIR: folder }, given)
  const nowhere = await run(new URL('../../../../package.json', import.meta.url).pathname, '--format', 'jsonl')
  t.equal(nowhere.code, 1)
  t.match(nowhere.complained, /^There is no database in .*Start the service once/)

  const misused = await run('people.txt')
  t.equal(misused.code, 2)
  t.match(misused.complained, /^The format of people\.txt is not known.*\nFor help, run npm run import -- --help\./)
  const help = await run('-h')
  t.equal(help.code, 0)
  for (const word of ['--dry-run', '--report', '--format', 'password_hash', 'account_type']) t.match(help.said, word)
})
