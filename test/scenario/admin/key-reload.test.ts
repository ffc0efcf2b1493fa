// A running service uses new keys when its key file changes, and what the old keys signed stays valid.
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newKeyFile } from '../../../src/adapters/keys/new-keys.ts'
import type { KeyFile } from '../../../src/adapters/keys/key-file-schema.ts'
import { rotateKey } from '../../../src/adapters/keys/rotation.ts'
import { keyFileWith, KEY_KINDS } from '../../support/processes/key-files.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { openService, type Service } from '../../support/service/service.ts'
import { openWorld, tokensIn, type World } from '../../support/service/world.ts'

/** Until a new key for codes is used, and one for access tokens */
const WAIT_MS = { codes: 121_000, tokens: 421_000 }

/** Opens a service whose keys are in a file. */
async function openWithFile(t: Test, path: string): Promise<{ service: Service; world: World }> {
  const service = await openService({ config: { keys: { file: path } } })
  t.teardown(() => service.close())
  return { service, world: await openWorld(service) }
}

function write(path: string, file: KeyFile | string): void {
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file), { mode: 0o600 })
}

/** Rotates the keys of all kinds. */
function rotated(file: KeyFile): KeyFile {
  return KEY_KINDS.reduce((before, kind) => rotateKey(before, kind, Date.now())?.file ?? before, file)
}

function kidOf(token: string): string {
  return (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
}

async function publishedKids({ origin }: Service): Promise<string[]> {
  const jwks = (await (await fetch(`${origin}/api/v1/auth/jwks`)).json()) as { keys: { kid: string }[] }
  return jwks.keys.map(({ kid }) => kid)
}

void t.test('does nothing while the keys are the same', async (t) => {
  const { tokens, ...others } = newKeyFile(Date.now())
  const path = keyFileWith(JSON.stringify({ ...others, tokens }))
  const { service } = await openWithFile(t, path)
  await service.app.reloadKeys()
  write(path, { tokens, ...others })
  await service.app.reloadKeys()
  t.notMatch(service.log.join(''), /keys reloaded/)
})

void t.test('learns new keys at once, and uses them when all instances know them', async (t) => {
  const before = newKeyFile(Date.now())
  const path = keyFileWith(JSON.stringify(before))
  const { service, world } = await openWithFile(t, path)
  const person = await world.person()
  const old = await person.logIn()
  const [oldKid = ''] = before.tokens.map(({ kid }) => kid)

  const after = rotated(before)
  write(path, after)
  const [newKid = ''] = after.tokens.map(({ kid }) => kid)
  await service.app.reloadKeys()
  t.same(await publishedKids(service), [oldKid, newKid])
  t.equal(kidOf((await person.logIn()).token), oldKid)

  world.wait(WAIT_MS.tokens - 60_000)
  await service.app.reloadKeys()
  t.equal(kidOf((await person.logIn()).token), oldKid, 'clients may have stored the JWKS')
  world.wait(60_000)
  await service.app.reloadKeys()
  t.same(await publishedKids(service), [newKid, oldKid])
  const fresh = await person.logIn()
  t.equal(kidOf(fresh.token), newKid)
  for (const { token } of [old, fresh]) t.equal((await world.send('checkToken')({ token })).status, 200)
  const refreshed = await world.send('refreshToken')({ json: { refresh_token: old.refresh } })
  t.equal(kidOf(tokensIn(refreshed).token), newKid)
})

void t.test('rejects tokens of a removed key at once', async (t) => {
  const before = newKeyFile(Date.now())
  const path = keyFileWith(JSON.stringify(before))
  const { service, world } = await openWithFile(t, path)
  const person = await world.person()
  const old = await person.logIn()
  t.equal((await world.send('checkToken')({ token: old.token })).status, 200)
  write(path, newKeyFile(Date.now()))
  await service.app.reloadKeys()
  t.equal((await world.send('checkToken')({ token: old.token })).status, 401)
  t.equal((await world.send('refreshToken')({ json: { refresh_token: old.refresh } })).status, 401)
  t.equal((await world.send('checkToken')({ token: (await person.logIn()).token })).status, 200)
})

void t.test('accepts codes and e-mails of before a rotation', async (t) => {
  const before = newKeyFile(Date.now())
  const path = keyFileWith(JSON.stringify(before))
  const { service, world } = await openWithFile(t, path)
  const form = { phone_code: '966', phone: world.newPhone() }
  t.equal((await world.send('checkPhone')({ form })).status, 200)
  const otp = world.codesTo(form.phone)[0] ?? ''
  const { email } = await world.person()
  const { background } = service.app.context
  service.app.context.background = { ...background, enqueue: () => undefined }
  t.equal((await world.send('requestPasswordReset')({ json: { by: 'email', email } })).status, 202)
  service.app.context.background = background

  write(path, rotated(before))
  await service.app.reloadKeys()
  world.wait(WAIT_MS.codes)
  await service.app.reloadKeys()
  t.match(await publishedKids(service), { length: 2 })
  t.equal((await world.send('confirmPhone')({ form: { ...form, otp } })).status, 200)
  await service.app.deliverMails()
  t.match(service.app.outbox?.messages, [{ to: email, subject: 'Set a new password' }])
})

void t.test('ignores an invalid file, logs it once, and recovers', async (t) => {
  const before = newKeyFile(Date.now())
  const path = keyFileWith(JSON.stringify(before))
  const { service, world } = await openWithFile(t, path)
  const { token } = await (await world.person()).logIn()
  const failures = (): number => service.log.filter((line) => line.includes('keys not reloaded')).length
  for (const [at, text] of ['{"tokens": [', '{}', ''].entries()) {
    write(path, text)
    await service.app.reloadKeys()
    await service.app.reloadKeys()
    t.equal(failures(), at + 1)
    t.equal((await world.send('checkToken')({ token })).status, 200)
  }
  const after = rotated(before)
  write(path, after)
  chmodSync(path, 0o644)
  await service.app.reloadKeys()
  t.equal(failures(), 4, 'others can read it')
  t.match(await publishedKids(service), { length: 1 })
  chmodSync(path, 0o600)
  await service.app.reloadKeys()
  t.match(await publishedKids(service), { length: 2 })
  for (const { d } of after.tokens) t.notMatch(service.log.join(''), d)
})

void t.test('follows a link that is replaced, as volumes of secrets do', async (t) => {
  const folder = temporaryFolder()
  const before = newKeyFile(Date.now())
  const versions = { one: before, two: rotated(before) }
  for (const [name, file] of Object.entries(versions)) {
    mkdirSync(join(folder, name))
    write(join(folder, name, 'keys.json'), file)
  }
  symlinkSync('one', join(folder, 'data'))
  symlinkSync(join('data', 'keys.json'), join(folder, 'keys.json'))
  const { service } = await openWithFile(t, join(folder, 'keys.json'))
  t.match(await publishedKids(service), { length: 1 })
  symlinkSync('two', join(folder, 'next'))
  renameSync(join(folder, 'next'), join(folder, 'data'))
  await service.app.reloadKeys()
  t.match(await publishedKids(service), { length: 2 })
})
