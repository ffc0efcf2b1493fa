import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileKind } from '../../../src/domain/files/file.ts'
import { eventsOf, newLawyer } from '../../support/cases/administration.ts'
import { exportIn } from '../../support/files/archives.ts'
import { commonCases, staleSessionCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { giveFile, image, PDF } from '../../support/files/files.ts'
import { nationalIdOf } from '../../support/accounts/national-ids.ts'
import { passkeyOwner } from '../../support/accounts/authenticator.ts'
import { begin, codeAt } from '../../support/accounts/second-factors.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { mailsTo } from '../../support/accounts/resets.ts'
import { PASSWORD, tokensIn, type World } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000

const common = commonCases('exportAccount', async (world) => ({ token: await (await world.person()).token() }), 'store')
const token = tokenCases()

/** Deletes a file from the storage but not from the database. */
async function deleteStoredFile({ service }: World, accountId: number, kind: FileKind): Promise<void> {
  const where = { accountId_kind: { accountId, kind } }
  const { key } = await service.database.prisma.file.findUniqueOrThrow({ where })
  await rm(join(storageDirectory(service.config), key))
}

function storageDirectory({ files }: World['service']['config']): string {
  return 'directory' in files ? files.directory : ''
}

contract('exportAccount', {
  200: {
    'exports the profile, files, sessions and events of a client, with Arabic text unescaped': async (
      send,
      world,
      t,
    ) => {
      const person = await world.person()
      const photo = await image('png')
      await giveFile(world, person.id, 'profile_photo', photo)
      const current = await person.token()
      const { body } = await world.send('getProfile')({ token: current })
      const received = await send({ token: current })
      t.match(received.headers, {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="tawthiq-account-${person.id}.zip"`,
        'cache-control': 'no-store',
        'ratelimit-policy': '"account-export";q=5;w=3600',
        ratelimit: /^"account-export";r=4;t=3600$/,
      })
      const { account, files, text } = await exportIn(received)
      t.same(account.profile, { ...body.data.user, profile_photo: 'files/profile_photo.png' })
      t.match(text, /"name": "سارة العتيبي"/)
      t.same(Object.keys(files), ['files/profile_photo.png'])
      t.match(account, {
        account: { id: person.id, email: person.email, phone_code: '966', status: 'active', is_admin: false },
        lawyer_profile: null,
        files: [{ kind: 'profile_photo', name: 'files/profile_photo.png', media_type: 'image/png', missing: false }],
        sessions: [{ device: 'test', current: true, ended_at: null }],
        events: [{ event: 'login', by_administrator: false }],
      })
      return received
    },
    'exports the same bytes of a lawyer as the file links return': async (send, world, t) => {
      const lawyer = await newLawyer(world)
      await giveFile(world, lawyer.id, 'national_id_image', await image('png'))
      await giveFile(world, lawyer.id, 'degree_certificate', PDF)
      await giveFile(world, lawyer.id, 'logo', await image('jpeg', 900, 900))
      const current = await lawyer.token()
      const received = await send({ token: current })
      const { account, files } = await exportIn(received)
      t.match(account.profile, {
        account_type: 'lawyer',
        national_id: nationalIdOf(lawyer),
        national_id_image: 'files/national_id_image.png',
        degree_certificate: 'files/degree_certificate.pdf',
        cv_file: null,
      })
      t.equal(account.lawyer_profile, null)
      const { body } = await world.send('getProfile')({ token: current })
      for (const { kind, name, bytes } of account.files) {
        const [file_id = ''] = /[\da-f-]{36}/.exec(body.data.user[kind] as string) ?? []
        const { body: linked } = await world.send('getFile')({ path: { file_id }, token: current })
        t.same(files[name ?? ''], linked, kind)
        t.equal(files[name ?? '']?.length, bytes)
      }
      t.same(Object.keys(files), ['files/national_id_image.png', 'files/degree_certificate.pdf', 'files/logo.jpg'])
      const exported = (await eventsOf(world, lawyer.id)).find(({ event }) => event === 'account_exported')
      t.equal(exported?.subject, 'national_id_image degree_certificate', 'reads of confidential files are recorded')
      return received
    },
    'includes the lawyer profile of an account that is now a client': async (send, world, t) => {
      const lawyer = await newLawyer(world)
      await giveFile(world, lawyer.id, 'national_id_image', await image())
      const { prisma } = world.service.database
      await prisma.account.update({ where: { id: lawyer.id }, data: { accountType: 'client' } })
      const received = await send({ token: await lawyer.token() })
      const { account, files } = await exportIn(received)
      t.equal(account.profile.account_type, 'client')
      t.match(account.lawyer_profile, {
        account_type: 'lawyer',
        national_id: nationalIdOf(lawyer),
        national_id_image: 'files/national_id_image.jpg',
      })
      t.same(Object.keys(files), ['files/national_id_image.jpg'])
      return received
    },
    'exports an incomplete profile': async (send, world, t) => {
      const { token: current } = tokensIn(await world.send('register')({ json: clientRegistration() }))
      const received = await send({ token: current })
      const { account, files } = await exportIn(received)
      t.match(account.profile, { profile_complete: false, gender: null })
      t.equal(account.events.at(-1)?.event, 'registered')
      t.same(files, {})
      return received
    },
    'exports an account with a requested deletion, and its ended sessions': async (send, world, t) => {
      const person = await world.person()
      const due = await world.send('requestAccountDeletion')({
        json: { password: PASSWORD },
        token: await person.token(),
      })
      const received = await send({ token: await person.token() })
      const { account } = await exportIn(received)
      t.equal(account.account.deletion_due_at, due.body.data.deletion_due_at)
      t.match(account.sessions, [{ ended_at: null }, { current: false, ended_at: /Z$/ }], 'ended sessions are included')
      return received
    },
    'omits the actions of an administrator on other accounts': async (send, world, t) => {
      const admin = await world.person({ isAdmin: true })
      const other = await world.person()
      const current = await admin.token()
      const path = { user_id: String(other.id) }
      await world.send('adminSuspendUser')({ path, json: { reason: 'planted reason' }, token: current })
      const received = await send({ token: current })
      const { account, text } = await exportIn(received)
      t.equal(account.account.is_admin, true)
      t.same(
        account.events.map(({ event }) => event),
        ['login'],
      )
      t.notMatch(text, /planted reason/)
      return received
    },
    'lists events newest first, without details of the administrators behind them': async (send, world, t) => {
      const person = await world.person()
      const at = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS)
      const { id: accountId } = person
      await world.service.database.prisma.auditEvent.createMany({
        data: [
          { accountId, event: 'profile_updated', subject: 'p***@example.org', address: '203.0.113.7', at: at(3) },
          { accountId, event: 'user_restored', actorId: 1, reason: 'planted', address: '198.51.100.9', at: at(1) },
          { accountId, event: 'user_suspended', subject: 'command line', reason: 'planted', at: at(2) },
        ],
      })
      const current = await person.token()
      const received = await send({ token: current })
      const { account, text } = await exportIn(received)
      t.match(account.events, [
        { event: 'login', address: /^10\.\d+\.\d+\.\*$/ },
        { event: 'user_restored', address: null, by_administrator: true },
        { event: 'user_suspended', by_administrator: true },
        { event: 'profile_updated', subject: 'p***@example.org', address: '203.0.113.*', by_administrator: false },
      ])
      t.notMatch(text, /planted|198\.51|"203\.0\.113\.7"/)
      return received
    },
    'limits events and sessions to the newest': async (send, world, t) => {
      const person = await world.person()
      await world.service.database.pool.query(
        `INSERT INTO audit_events (account_id, event, at) SELECT $1, 'login', now() - make_interval(secs => n)
         FROM generate_series(1, 10100) n`,
        [person.id],
      )
      await world.service.database.pool.query(
        `INSERT INTO sessions (account_id, address, refreshed_at, ended_at)
         SELECT $1, '203.0.113.7', now() - make_interval(secs => n), now() FROM generate_series(1, 600) n`,
        [person.id],
      )
      const received = await send({ token: await person.token() })
      const { account } = await exportIn(received)
      t.equal(account.events.length, 10_000)
      t.equal(account.sessions.length, 500)
      const times = account.events.map(({ at }) => at)
      t.same(times, [...times].sort().reverse())
      return received
    },
    'contains no secrets and no data of other accounts': async (send, world, t) => {
      const person = await world.person()
      const other = await world.person()
      const { token: current, refresh } = await person.logIn()
      const { prisma } = world.service.database
      const { passwordHash } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
      const received = await send({ token: current })
      const { text } = await exportIn(received)
      for (const secret of [passwordHash, current, refresh, other.email, world.address]) t.notOk(text.includes(secret))
      return received
    },
    'lists second factors without their secrets': async (send, world, t) => {
      const { accountId, passkey, recoveryCodes, token: current } = await passkeyOwner(world)
      const { prisma } = world.service.database
      const aaguid = 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'
      await prisma.passkey.updateMany({ where: { accountId }, data: { aaguid } })
      const { secret } = await begin(world, current)
      const code = codeAt(secret, world.service.clock.nowMs())
      t.equal((await world.send('confirmTotp')({ token: current, json: { code } })).status, 200)
      const received = await send({ token: current })
      const { account, text } = await exportIn(received)
      t.match(account.second_factors, {
        passkeys: [{ name: 'MacBook', aaguid, is_backed_up: true, added_at: /Z$/, last_used_at: null }],
        totp_added_at: /Z$/,
        recovery_codes_left: recoveryCodes.length,
        reset_at: null,
      })
      const { credentialId, publicKey, userHandle } = passkey
      for (const hidden of [secret, credentialId, publicKey, userHandle, ...recoveryCodes])
        t.notOk(text.includes(hidden))
      return received
    },
    'lists a file that the storage has lost as missing': async (send, world, t) => {
      const { id, token: logIn } = await world.person()
      await giveFile(world, id, 'logo', await image())
      await giveFile(world, id, 'cv_file', PDF)
      await giveFile(world, id, 'profile_photo', await image())
      await deleteStoredFile(world, id, 'profile_photo')
      await deleteStoredFile(world, id, 'cv_file')
      const received = await send({ token: await logIn() })
      const { account, files } = await exportIn(received)
      t.match(account.files, [
        { kind: 'profile_photo', name: null, missing: true },
        { kind: 'cv_file', name: null, missing: true },
        { kind: 'logo', name: 'files/logo.jpg', missing: false },
      ])
      t.equal(account.profile.profile_photo, null)
      t.same(Object.keys(files), ['files/logo.jpg'])
      return received
    },
    'records the export and notifies the owner': async (send, world, t) => {
      const person = await world.person()
      const current = await person.token()
      const received = await send({ token: current, language: 'ar' })
      const where = { accountId: person.id, event: 'account_exported' }
      t.equal(await world.service.database.prisma.auditEvent.count({ where }), 1)
      const [mail] = await mailsTo(world, person.email)
      t.equal(mail?.subject, 'تم تصدير بياناتك')
      const { account } = await exportIn(await send({ token: current }))
      t.match(account.events, [{ event: 'account_exported' }, { event: 'login' }], 'the next export contains the event')
      return received
    },
  },
  400: common[400],
  401: token[401],
  ...staleSessionCases(),
  429: {
    ...token[429],
    'limits an account to five exports per hour across sessions': async (send, world, t) => {
      const person = await world.person()
      for (let exported = 0; exported < 5; exported++)
        t.equal((await send({ token: await person.token() })).status, 200)
      t.equal(
        (await send({ token: await (await world.person()).token() })).status,
        200,
        'other accounts are not affected',
      )
      const received = await send({ token: await person.token() })
      t.ok(Number(received.headers['retry-after']) > 3500)
      t.match(received.headers, { 'error-code': 'rate_limited', ratelimit: /^"account-export";r=0;/ })
      const where = { accountId: person.id, event: 'account_exported' }
      t.equal(await world.service.database.prisma.auditEvent.count({ where }), 5)
      t.ok(world.service.log.some((line) => line.includes('"export_limited"')))
      return received
    },
    'does not count requests of an ended session': async (send, world, t) => {
      const person = await world.person()
      const ended = await person.token()
      const current = await person.token()
      await world.send('logout')({ token: ended })
      for (let tries = 0; tries < 6; tries++) t.equal((await send({ token: ended })).status, 401)
      for (let exported = 0; exported < 5; exported++) t.equal((await send({ token: current })).status, 200)
      return send({ token: current })
    },
  },
  500: common[500],
  503: {
    ...common[503],
    'reports an unavailable storage before sending any bytes': async (send, world, t) => {
      const person = await world.person()
      await giveFile(world, person.id, 'logo', await image())
      const folder = storageDirectory(world.service.config)
      await rename(folder, `${folder}-away`)
      try {
        const received = await send({ token: await person.token() })
        t.match(received.headers, { 'error-code': 'storage_unavailable', 'content-disposition': undefined })
        const where = { accountId: person.id, event: 'account_exported' }
        t.equal(await world.service.database.prisma.auditEvent.count({ where }), 0)
        return received
      } finally {
        await rename(`${folder}-away`, folder)
      }
    },
  },
})
