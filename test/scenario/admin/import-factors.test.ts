// npm run import: users of another system keep their authenticator apps and passkeys.
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import t from 'tap'
import type { OperationId } from '../../../src/contract/operation.ts'
import type { CreationOptions, RequestOptions } from '../../support/accounts/authenticator.ts'
import {
  jsonLines,
  makeKeys,
  OLD_PASSWORD,
  passkeyElsewhere,
  passkeyRow,
  randomHandle,
  rowOf,
} from '../../support/accounts/imported-factors.ts'
import { codeAt } from '../../support/accounts/second-factors.ts'
import { startHere } from '../../support/processes/here.ts'
import { openSite, reported, untilLong } from '../../support/processes/import.ts'
import { openProcessInstallation } from '../../support/processes/installation.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import { tokensIn } from '../../support/service/world.ts'

const SECRET = 'JBSWY3DPEHPK3PXP'
const AAGUID = 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'

void t.test('imports authenticator apps, which the login then requires', async (t) => {
  const site = await openSite(t)
  makeKeys(site)
  const csv = [
    'email,password_hash,phone_code,phone,account_type,name,phone_verified,totp_secret',
    ...[
      ' jbsw y3dp-ehpk 3pxp====',
      `otpauth://totp/Old%20app:a@b.c?secret=${SECRET}&issuer=Old&digits=6&period=30`,
      '',
    ].map((secret, at) => {
      const { email, password_hash } = rowOf(`app-${at}`) as { email: string; password_hash: string }
      return `${email},${password_hash},966,051234567${at},client,App,true,${secret}`
    }),
  ].join('\n')
  const done = await site.run(site.file('apps.csv', csv))
  t.equal(done.code, 0, done.complained)

  const stored = await site.query(({ prisma }) =>
    prisma.account.findMany({ include: { secondFactors: true, passkeys: true }, orderBy: { id: 'asc' } }),
  )
  t.match(stored, [
    { factorsSince: Date, secondFactors: { totpConfirmedAt: Date, totpLastStep: 0, recoveryCodes: [] } },
    { factorsSince: Date, secondFactors: { totpConfirmedAt: Date } },
    { factorsSince: null, secondFactors: null },
  ])
  for (const { secondFactors } of stored)
    t.notOk(Buffer.from(secondFactors?.totpSecret ?? []).includes(SECRET), 'the secret is encrypted')

  const service = await startHere(site.environment)
  t.teardown(() => service.close())
  const send = (id: OperationId): Send => sender(service.origin, id, '10.0.0.1')
  for (const name of ['app-0', 'app-1']) {
    const json = { email: `${name}@example.org`, password: OLD_PASSWORD }
    const asked = await send('login')({ json })
    t.equal(asked.headers['error-code'], 'mfa_required')
    t.equal(asked.headers['mfa-methods'], 'totp', 'there are no recovery codes')
    t.equal((await send('login')({ json: { ...json, code: '000000' } })).headers['error-code'], 'mfa_code_wrong')
    const { status, body } = await send('login')({ json: { ...json, code: codeAt(SECRET, Date.now()) } })
    t.equal(status, 200, name)
    t.ok(body.data)
  }
  t.equal((await send('login')({ json: { email: 'app-2@example.org', password: OLD_PASSWORD } })).status, 200)
})

void t.test('imports passkeys, which log in, reuse their user handle and get recovery codes', async (t) => {
  const site = await openSite(t)
  const userHandle = randomHandle()
  const synced = passkeyElsewhere(userHandle)
  const bound = passkeyElsewhere(userHandle, { backupEligible: false, backedUp: false, counter: 8 })
  const old = { name: ' Security key ', counter: 7, aaguid: AAGUID, created_at: '2021-02-03T04:05:06Z' }
  const members = [
    passkeyRow(synced, { counter: 9, aaguid: null, transports: [] }),
    passkeyRow(bound, { ...old, backup_eligible: false, backed_up: false }),
  ]
  const rows = [rowOf('synced', { passkeys: members }), rowOf('none', { passkeys: [], totp_secret: null })]
  const done = await site.run(site.file('passkeys.jsonl', jsonLines(rows)))
  t.equal(done.code, 0, done.complained)

  const { accounts, events } = await site.query(async ({ prisma }) => ({
    accounts: await prisma.account.findMany({
      include: { passkeys: { orderBy: { createdAt: 'asc' } }, secondFactors: true },
      orderBy: { id: 'asc' },
    }),
    events: await prisma.auditEvent.findMany(),
  }))
  t.match(accounts, [
    {
      factorsSince: Date,
      secondFactors: { totpSecret: null, totpConfirmedAt: null, recoveryCodes: [] },
      passkeys: [
        {
          name: 'Security key',
          counter: 7n,
          aaguid: AAGUID,
          createdAt: new Date('2021-02-03T04:05:06Z'),
          lastUsedAt: null,
        },
        { name: 'MacBook', counter: 0n, aaguid: '00000000-0000-0000-0000-000000000000', transports: [] },
      ],
    },
    { factorsSince: null, secondFactors: null, passkeys: [] },
  ])
  t.same([...new Set(events.map(({ event }) => event))], ['account_imported'], 'the audit trail has no other events')

  const service = await startHere(site.environment)
  t.teardown(() => service.close())
  const send = (id: OperationId): Send => sender(service.origin, id, '10.0.0.1')
  const logIn = async (passkey: typeof synced, changes = {}): Promise<Awaited<ReturnType<Send>>> => {
    const { body } = await send('beginPasskeyLogin')({})
    return send('loginWithPasskey')({ json: { credential: passkey.get(body.data as RequestOptions, changes) } })
  }
  t.equal((await logIn(bound, { counter: 7 })).status, 401, 'the imported counter counts')
  t.equal((await logIn(bound)).status, 200)
  const received = await logIn(synced)
  t.equal(received.status, 200)
  const { token } = tokensIn(received)

  const prove = async (): Promise<{ json: object }> => {
    const { body } = await send('beginPasskeyReauthentication')({ token })
    return { json: { credential: synced.get(body.data as RequestOptions) } }
  }
  const refused = await send('renewRecoveryCodes')({ token, json: { password: OLD_PASSWORD } })
  t.same([refused.status, refused.headers['mfa-methods']], [403, 'passkey'], 'it is established at once')
  const options = (await send('beginPasskey')({ token, ...(await prove()) })).body.data as CreationOptions
  t.equal(options.user.id, userHandle, 'another passkey has the same user handle')
  t.match((await send('getFactors')({ token })).body.data, { recovery_codes_left: 0, totp_added_at: null })
  const { recovery_codes: codes } = (await send('renewRecoveryCodes')({ token, ...(await prove()) })).body.data as {
    recovery_codes: string[]
  }
  t.equal(codes.length, 10)
  t.match((await send('getFactors')({ token })).body.data, { recovery_codes_left: 10 })
  const json = { email: 'synced@example.org', password: OLD_PASSWORD, code: codes[0] }
  t.equal((await send('login')({ json })).status, 200, 'a recovery code logs in')
})

const IS_EMBEDDED = process.env['DATABASE_URL'] === undefined
const ROWS = IS_EMBEDDED ? 1200 : 6000
/** More than the 25 rejected rows of the first batch have in the report */
const FIRST_BATCH_BYTES = 3500

void t.test('resumes an interrupted import without storing a factor twice', async (t) => {
  const site = await openSite(t, openProcessInstallation(t))
  makeKeys(site)
  const owners = Array.from({ length: ROWS }, (_, at) => ({
    hasApp: at % 7 === 0,
    passkey: at % 10 === 0 ? passkeyElsewhere() : undefined,
    isWrong: at % 20 === 3,
  }))
  const rows = owners.map(({ hasApp, passkey, isWrong }, at) =>
    rowOf(`person-${at}`, {
      ...(isWrong && { name: '' }),
      ...(hasApp && { totp_secret: SECRET }),
      ...(passkey && { passkeys: [passkeyRow(passkey)] }),
    }),
  )
  const file = site.file('crowd.jsonl', jsonLines(rows))
  const report = `${file}.rejected.jsonl`
  const running = site.begin(file)
  await untilLong(report, FIRST_BATCH_BYTES, running) // the first batch is stored, and the transaction of another is open
  running.child.kill('SIGKILL')
  await once(running.child, 'close')
  t.equal(running.child.exitCode, null, 'it is interrupted')

  const { code, said, complained } = await site.run(file)
  t.equal(code, 3)
  t.match(complained, /Resuming after row/)
  t.match(said, `${ROWS.toLocaleString('en')} rows, ${((ROWS / 20) * 19).toLocaleString('en')} imported`)
  t.ok(statSync(report).size > 0)
  t.equal(reported(report).length, ROWS / 20)
  t.notMatch(readFileSync(report, 'utf8'), SECRET)

  const right = owners.filter(({ isWrong }) => !isWrong)
  const passkeys = right.flatMap(({ passkey }) => (passkey ? [passkey.credentialId] : []))
  const stored = await site.query(async ({ prisma }) => ({
    apps: await prisma.secondFactors.count({ where: { totpSecret: { not: null } } }),
    protectedAccounts: await prisma.account.count({ where: { factorsSince: { not: null } } }),
    passkeys: await prisma.passkey.findMany({ orderBy: { accountId: 'asc' } }),
  }))
  t.equal(stored.apps, right.filter(({ hasApp }) => hasApp).length)
  t.equal(stored.protectedAccounts, right.filter(({ hasApp, passkey }) => hasApp || passkey).length)
  t.same(
    stored.passkeys.map(({ credentialId }) => Buffer.from(credentialId).toString('base64url')),
    passkeys,
  )
})
