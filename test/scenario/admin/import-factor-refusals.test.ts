// npm run import: second factors that the installation cannot accept, or that another account has.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { newKeys, parseKeys, type serializeKeyFile } from '../../../src/adapters/keys/index.ts'
import { resealTotp } from '../../../src/adapters/tokens/totp.ts'
import { openFactorSupport } from '../../../src/cli/import/factor-support.ts'
import type { Config } from '../../../src/config/index.ts'
import type { Database } from '../../../src/database/index.ts'
import type { ImportedAccount } from '../../../src/domain/import.ts'
import { imports } from '../../../src/store/imports/index.ts'
import type { Passkey } from '../../support/accounts/authenticator.ts'
import { jsonLines, makeKeys, passkeyElsewhere, passkeyRow, rowOf } from '../../support/accounts/imported-factors.ts'
import { startHere } from '../../support/processes/here.ts'
import { runHere } from '../../support/processes/command.ts'
import { IMPORT, openSite, reported, type Site } from '../../support/processes/import.ts'

type KeyFile = Parameters<typeof serializeKeyFile>[0]

const SECRET = 'JBSWY3DPEHPK3PXP'

const countAccounts = ({ query }: Site): Promise<number> => query(({ prisma }) => prisma.account.count())

void t.test('rejects a passkey that another account has, in the database or in the file', async (t) => {
  const site = await openSite(t)
  makeKeys(site)
  const [first, second, third] = [passkeyElsewhere(), passkeyElsewhere(), passkeyElsewhere()]
  await site.run(site.file('first.jsonl', jsonLines([rowOf('first', { passkeys: [passkeyRow(first)] })])))

  const file = site.file(
    'people.jsonl',
    jsonLines([
      rowOf('in-database', { passkeys: [passkeyRow(second), passkeyRow({ ...first, userHandle: second.userHandle })] }),
      rowOf('free-again', { passkeys: [passkeyRow(second)], totp_secret: SECRET }),
      rowOf('in-file', { passkeys: [passkeyRow(second)] }),
      rowOf('first', { passkeys: [passkeyRow(first)] }),
      ...Array.from({ length: 500 }, (_, at) => rowOf(`plain-${at}`)),
      rowOf('next-batch', { passkeys: [passkeyRow(third)] }),
      rowOf('next-batch', { passkeys: [passkeyRow(third)] }),
      rowOf('after-batch', { passkeys: [passkeyRow(second)] }),
    ]),
  )
  const expected = [
    { line: 1, codes: { 'passkeys.1.credential_id': ['passkey_known'] } },
    { line: 3, codes: { 'passkeys.0.credential_id': ['passkey_known'] } },
    { line: 4, codes: { email: ['email_taken'], 'passkeys.0.credential_id': ['passkey_known'] } },
    { line: 506, codes: { email: ['email_taken'], 'passkeys.0.credential_id': ['passkey_known'] } },
    { line: 507, codes: { 'passkeys.0.credential_id': ['passkey_known'] } },
  ]
  const linesOf = (path: string): object[] => reported(path).map(({ line, codes }) => ({ line, codes }))
  t.equal((await site.run(file, '--dry-run')).code, 3)
  t.same(linesOf(`${file}.dry-run.rejected.jsonl`), expected)
  t.equal((await site.run(file)).code, 3)
  t.same(linesOf(`${file}.rejected.jsonl`), expected)
  const owners = await site.query(({ prisma }) =>
    prisma.passkey.findMany({ select: { account: { select: { email: true } } }, orderBy: { accountId: 'asc' } }),
  )
  t.same(
    owners.map(({ account }) => account.email),
    ['first@example.org', 'free-again@example.org', 'next-batch@example.org'],
  )
})

const IS_EMBEDDED = process.env['DATABASE_URL'] === undefined

void t.test(
  'rejects a passkey that another account gets during the import',
  { skip: IS_EMBEDDED && 'an embedded database has one connection' },
  async (t) => {
    const site = await openSite(t)
    const passkey = passkeyElsewhere()
    await site.query(async (database) => {
      const own = await imports(database).open('00'.repeat(32), true)
      const other = await database.pool.connect()
      await other.query('BEGIN')
      await other.query(
        `WITH account AS (
           INSERT INTO accounts (email, phone, phone_code, password_hash, account_type)
           VALUES ('other@example.org', '+1', '1', '-', 'client') RETURNING id)
         INSERT INTO passkeys (account_id, credential_id, user_handle, public_key, relying_party_id, aaguid, name,
           backup_eligible, backed_up)
         SELECT id, $1, $1, $1, 'localhost', gen_random_uuid(), 'A', true, true FROM account`,
        [decode(passkey.credentialId)],
      )
      const before = await own.state()
      const found: (readonly number[] | undefined)[] = []
      const adding = own.add([toAccount(passkey)], before, (taken) => {
        found.push(taken[0]?.passkeys)
        return Promise.resolve({ ...before, rows: 1 })
      })
      const blocked = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))'
      while ((await other.query(blocked)).rowCount === 0);
      await other.query('COMMIT')
      other.release()
      await adding
      t.same(found, [[0]])
      await own.close()
      t.equal(await database.prisma.account.count(), 1)
    })
  },
)

function toAccount({ credentialId, publicKey, userHandle }: Passkey): ImportedAccount {
  const passkey = {
    ...{ relyingPartyId: 'localhost', counter: 0, transports: [], name: 'A', createdAt: undefined },
    ...{ aaguid: '00000000-0000-0000-0000-000000000000', backupEligible: true, backedUp: true },
    ...{ credentialId: decode(credentialId), publicKey: decode(publicKey), userHandle: decode(userHandle) },
  }
  return {
    ...{ email: 'a@example.org', phone: '+966512345678', phoneCode: '966', phoneVerified: false, emailVerified: true },
    ...{ passwordHash: '-', accountType: 'client', createdAt: undefined, name: 'A', names: undefined },
    factors: { sealTotp: undefined, passkeys: [passkey] },
  }
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

void t.test('runs statements about second factors only for batches that have any', async (t) => {
  const site = await openSite(t)
  await site.query(async (database) => {
    const texts: string[] = []
    const connect = async (): Promise<unknown> => {
      const client = await database.pool.connect()
      const query = client.query.bind(client) as (config: { text: string }) => unknown
      return Object.assign(client, {
        query: (config: { text: string }) => {
          texts.push(config.text)
          return query(config)
        },
      })
    }
    const own = await imports({ pool: { connect } } as unknown as Database).open('00'.repeat(32), true)
    const statementsOf = async (account: ImportedAccount, rows: number): Promise<number> => {
      texts.length = 0
      const before = await own.state()
      await own.add([account], before, () => Promise.resolve({ ...before, rows }))
      return texts.length
    }
    const account = toAccount(passkeyElsewhere())
    const plain = { ...account, email: 'b@example.org', factors: undefined }
    t.equal((await statementsOf(account, 1)) - (await statementsOf(plain, 2)), 2)
    await own.close()
    t.equal(await database.prisma.account.count(), 2)
  })
})

void t.test('imports nothing of a file with second factors that the installation cannot accept', async (t) => {
  const site = await openSite(t)
  const keysPath = join(site.environment.DATA_DIR, 'keys.json')
  const plain = [rowOf('a'), rowOf('b', { totp_secret: '', passkeys: [] })]
  const app = site.file('app.jsonl', jsonLines([...plain, rowOf('app', { totp_secret: SECRET })]))
  const passkeys = [passkeyRow(passkeyElsewhere())]
  const passkey = site.file('passkey.jsonl', jsonLines([...plain, rowOf('passkey', { passkeys })]))
  const isRefused = async (file: string, column: string, why: RegExp, more = {}): Promise<void> => {
    for (const parameters of [[file, '--dry-run'], [file]]) {
      const { code, said, complained } = await runHere(IMPORT, { ...site.environment, ...more }, parameters)
      t.equal(code, 1)
      t.equal(said, '')
      t.match(complained, `Line 3 has ${column}, so no row was imported.`)
      t.match(complained, why)
    }
    t.notOk(existsSync(`${file}.rejected.jsonl`))
    t.equal(await countAccounts(site), 0)
  }

  await isRefused(app, 'totp_secret', /key file .*keys\.json does not exist\. Set KEYS or KEYS_FILE/)
  t.notOk(existsSync(keysPath), 'the command creates no keys')
  makeKeys(site)
  const keys = JSON.parse(readFileSync(keysPath, 'utf8')) as object
  writeFileSync(keysPath, JSON.stringify({ ...keys, factors: [] }))
  await isRefused(app, 'totp_secret', /The keys have no factors\. Run npm run admin -- rotate-keys factors\./)
  writeFileSync(keysPath, '{}')
  await isRefused(app, 'totp_secret', /keys\.json is invalid/)
  writeFileSync(keysPath, JSON.stringify(keys))

  const name = 'second-factors'
  const enabled = await site.query(({ prisma }) => prisma.enabledFeature.findUniqueOrThrow({ where: { name } }))
  await site.query(({ prisma }) => prisma.enabledFeature.delete({ where: { name } }))
  for (const [file, column] of [
    [app, 'totp_secret'],
    [passkey, 'passkeys'],
  ] as const)
    await isRefused(
      file,
      column,
      /second-factors is not enabled\. Run npm run admin -- enable-feature second-factors\./,
    )
  t.equal((await site.run(site.file('plain.jsonl', jsonLines(plain)))).code, 0, 'a file without factors is imported')
  await site.query(({ prisma }) => prisma.enabledFeature.create({ data: enabled }))
  t.equal((await site.run(app)).code, 3, 'a and b exist')
  t.equal((await site.run(passkey)).code, 3)
  t.equal(await countAccounts(site), 4)

  const others = site.file('others.jsonl', jsonLines([rowOf('other', { passkeys: [passkeyRow(passkeyElsewhere())] })]))
  const moved = await runHere(IMPORT, { ...site.environment, WEBAUTHN_RP_ID: 'example.com' }, [others])
  t.equal(moved.code, 1)
  t.match(
    moved.complained,
    /^Line 1 has passkeys, .*WEBAUTHN_RP_ID is example\.com, but accounts have passkeys of localhost/,
  )
  t.equal(await countAccounts(site), 4)
})

void t.test('rejects passkeys in CSV', async (t) => {
  const site = await openSite(t)
  const header = 'email,password_hash,phone_code,phone,account_type,name,passkeys\n'
  const { code, complained } = await site.run(site.file('passkeys.csv', header))
  t.equal(code, 1)
  t.equal(complained, 'The columns are invalid:\n  The column passkeys needs a .jsonl file.')
})

type Dependencies = Parameters<typeof openFactorSupport>[1]

void t.test('names what passkeys need without a configured domain', async (t) => {
  const found = { isEnabled: true, relyingParty: undefined }
  const { obstacles } = await openFactorSupport(
    { passkeys: undefined, keys: { text: newKeys() } } as Config,
    {
      imports: { factorSupport: () => Promise.resolve(found) },
      keyHolders: { read: () => Promise.resolve({ nowMs: 0, holders: [] }) },
      clock: { nowMs: () => 0 },
      format: 'jsonl',
    } as unknown as Dependencies,
  )
  t.same(obstacles, { passkeys: 'WEBAUTHN_RP_ID is not set.' })
})

void t.test('encrypts with a new key only after the running instances have it', async (t) => {
  const site = await openSite(t)
  makeKeys(site)
  const path = join(site.environment.DATA_DIR, 'keys.json')
  const service = await startHere(site.environment)
  await service.close()
  const before = JSON.parse(readFileSync(path, 'utf8')) as KeyFile
  const app = rowOf('app', { totp_secret: SECRET })
  const added = (JSON.parse(newKeys()) as KeyFile).factors
  writeFileSync(path, JSON.stringify({ ...before, factors: [...added, ...before.factors] }))
  t.equal((await site.run(site.file('app.jsonl', jsonLines([app])))).code, 0)
  const [stored] = await site.query(({ prisma }) => prisma.secondFactors.findMany())
  const { factors } = parseKeys(JSON.stringify(before), 'keys')
  const [accountId, sealed] = [stored?.accountId ?? 0, stored?.totpSecret ?? new Uint8Array()]
  t.equal(factors && resealTotp(factors)({ accountId, sealed }), 'current', 'it is encrypted with the previous key')
})
