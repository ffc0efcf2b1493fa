// Rotation of the keys of access tokens, without effects for clients.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, symlinkSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { ADMIN, adminIn } from '../../support/processes/admin-command.ts'
import { giveFile, image } from '../../support/files/files.ts'
import { startHere } from '../../support/processes/here.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { instanceWith } from '../../support/service/instance.ts'
import { keyFileWith, kidsIn } from '../../support/processes/key-files.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import { pooledDirectory } from '../../support/service/embedded-databases.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, PASSWORD, tokensIn, type Tokens } from '../../support/service/world.ts'

type Sends = (id: OperationId) => Send

const KILLS = 8
const DEMO = { email: 'client@demo.test', password: 'Tawthiq-demo-1' }

function kidOf(token: string): string {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
  return header.kid
}

async function logIn(origin: string): Promise<Tokens> {
  return tokensIn(await sender(origin, 'login', '192.0.2.1')({ json: DEMO }))
}

void t.test('rotates the keys of one running service', async (t) => {
  const folder = await pooledDirectory(t)
  const admin = adminIn({ DATA_DIR: folder })
  const path = join(folder, 'keys.json')
  const first = await startHere({ DATA_DIR: folder })
  const old = await logIn(first.origin)
  const [oldKid = ''] = kidsIn(readFileSync(path, 'utf8'))
  t.equal(kidOf(old.token), oldKid)

  const { code, said, complained } = await admin('rotate-keys')
  const [newKid = ''] = kidsIn(readFileSync(path, 'utf8'))
  t.same([code, complained], [0, ''])
  t.match(
    said,
    `The service will use the key ${newKid} for new access tokens when all instances have had it for 7 minutes.`,
  )
  t.match(said, `Existing ones, signed with ${oldKid}, stay valid until they expire.`)
  t.match(said, path)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.same(
    readdirSync(folder)
      .filter((name) => name.startsWith('keys'))
      .sort(),
    ['keys.json'],
  )
  t.equal(kidOf((await logIn(first.origin)).token), oldKid, 'not at once, because other instances may not know it')

  await first.close()
  const { origin, close } = await startHere({ DATA_DIR: folder })
  t.teardown(close)
  const send = (id: OperationId): Send => sender(origin, id, '192.0.2.1')
  t.equal((await send('checkToken')({ token: old.token })).status, 200)
  t.equal(kidOf((await logIn(origin)).token), oldKid, 'a restart does not shorten the delay')
  const jwks = (await (await fetch(`${origin}/api/v1/auth/jwks`)).json()) as { keys: { kid: string }[] }
  t.same(
    jwks.keys.map(({ kid }) => kid),
    [oldKid, newKid],
  )
  t.equal((await send('refreshToken')({ json: { refresh_token: old.refresh } })).status, 200)
})

void t.test('keeps tokens valid across instances during a rolling restart', async (t) => {
  const path = keyFileWith()
  const text = (): string => readFileSync(path, 'utf8')
  const admin = adminIn({ KEYS_FILE: path })
  const before = text()
  t.match(
    (await admin('rotate-keys', '--prepare')).said,
    /is prepared\. It is not used for access tokens yet\.\nInstances that read this file/,
  )
  const prepared = text()
  t.match((await admin('rotate-keys', '--prepare')).said, /was already prepared at 20/)
  t.equal(text(), prepared)
  t.match((await admin('rotate-keys')).said, /Instances that read this file find the key within seconds/)
  const after = text()
  const [oldKid = '', newKid = ''] = kidsIn(prepared)
  t.same(kidsIn(after), [newKid, oldKid])

  const service = await openService({ config: { keys: { text: before } } })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const { email, id } = await world.person()
  await giveFile(world, id, 'profile_photo', await image())
  const instances: Sends[] = [world.send]
  for (const keys of [prepared, after]) instances.push((await instanceWith(service, keys)).send)
  const [unaware, aware, ready] = instances as [Sends, Sends, Sends]
  const signedBy = async (instance: Sends): Promise<Tokens> =>
    tokensIn(await instance('login')({ json: { email, password: PASSWORD } }))
  const neighbours = [
    [unaware, aware],
    [aware, ready],
  ] as const
  for (const [one, other] of [...neighbours, ...neighbours.map((pair) => [...pair].reverse() as [Sends, Sends])]) {
    const { token, refresh } = await signedBy(one)
    t.equal((await other('checkToken')({ token })).status, 200)
    t.equal((await other('refreshToken')({ json: { refresh_token: refresh } })).status, 200)
  }
  const { token, refresh } = await signedBy(ready)
  t.equal(kidOf(token), oldKid, 'an instance that does not know the new key delays its use')
  t.equal((await unaware('checkToken')({ token })).status, 200)
  t.equal((await unaware('refreshToken')({ json: { refresh_token: refresh } })).status, 200)

  const { body } = await unaware('getProfile')({ token: (await signedBy(unaware)).token })
  const link = new URL((body.data.user as { profile_photo: string }).profile_photo, service.origin)
  const response = await ready('getFile')({
    path: { file_id: link.pathname.split('/').at(-1) ?? '' },
    query: Object.fromEntries(link.searchParams),
  })
  t.equal(response.status, 200, 'a link that was created before')
})

void t.test('prints only the new keys if they are in the environment', async (t) => {
  const keys = JSON.stringify(JSON.parse(newKeys()))
  const { code, said, complained } = await adminIn({ KEYS: keys })('rotate-keys')
  t.equal(code, 0)
  t.same(kidsIn(said).slice(1), kidsIn(keys))
  t.notMatch(said, '\n', 'one line, for a variable of the environment')
  t.match(complained, 'Nothing has changed yet: set KEYS to the printed JSON')
  t.notMatch(complained, /"d"|"k"/)
  const prepared = (await adminIn({ KEYS: keys })('rotate-keys', '--prepare')).said
  t.same(kidsIn(prepared).slice(0, 1), kidsIn(keys))
  t.equal((await adminIn({ KEYS: prepared })('rotate-keys', '--prepare')).said, prepared)
})

void t.test('names an invalid file and leaves it unchanged', async (t) => {
  const path = keyFileWith()
  const good = readFileSync(path, 'utf8')
  const admin = adminIn({ KEYS_FILE: path })
  const isRefused = async (text: string, complaint: RegExp, mode = 0o600): Promise<void> => {
    writeFileSync(path, text)
    chmodSync(path, mode)
    const { code, said, complained } = await admin('rotate-keys')
    t.same([code, said], [1, ''], complained)
    t.match(complained, complaint)
    t.match(complained, path)
    t.notMatch(complained, /^ +at /m, 'no stack')
    t.equal(readFileSync(path, 'utf8'), text)
    t.same(readdirSync(join(path, '..')), ['keys.json'])
  }
  await isRefused(good.slice(0, 100), /is not valid JSON/)
  await isRefused(good.replace('"kid"', '"retired": "long ago", "kid"'), /is invalid at \/tokens\/0\/retired/)
  await isRefused(good, /is accessible to other users \(mode 644\)/, 0o644)
  const nowhere = await adminIn({ KEYS_FILE: `${path}.none` })('rotate-keys')
  t.equal(nowhere.code, 1)
  t.match(nowhere.complained, /^There is no key file .*none\. Start the service once/)
})

void t.test('preserves symbolic links and the owner of the file', async (t) => {
  const path = keyFileWith()
  const link = join(temporaryFolder(), 'link.json')
  symlinkSync(path, link)
  chmodSync(path, 0o400)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(path, 12_345, 54_321)
  t.equal((await adminIn({ KEYS_FILE: link })('rotate-keys')).code, 0)
  t.equal(kidsIn(readFileSync(path, 'utf8')).length, 2)
  const { mode, uid, gid } = statSync(path)
  t.equal(mode & 0o777, 0o400)
  if (isRoot) t.same([uid, gid], [12_345, 54_321])
  if (!isRoot) return
  chownSync(path, 0, 54_321)
  chmodSync(path, 0o640)
  t.equal((await adminIn({ KEYS_FILE: path })('rotate-keys')).code, 0)
  const provided = statSync(path)
  t.same(
    [provided.mode & 0o777, provided.uid, provided.gid],
    [0o640, 0, 54_321],
    'the group of the service can read it',
  )
})

/** Node can hang while it exits (nodejs/node#54918), seen once in CI. Far longer than a rotation takes. */
const EXIT_MS_MAX = 60_000

/** Runs a rotation, and kills it when it changes the directory for the nth time. */
async function killedAt(touches: number, path: string): Promise<void> {
  const { PATH = '' } = process.env
  const watcher = watch(join(path, '..'))
  const child = spawn(process.execPath, [ADMIN, 'rotate-keys'], {
    cwd: tmpdir(),
    env: { PATH, NODE_ENV: 'development', KEYS_FILE: path },
    timeout: EXIT_MS_MAX,
    killSignal: 'SIGKILL',
  })
  let seen = 0
  watcher.on('change', () => {
    if (++seen === touches) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  watcher.close()
}

void t.test('leaves a valid file when killed at any moment', async (t) => {
  const path = keyFileWith()
  let before = kidsIn(readFileSync(path, 'utf8'))
  let drafts = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await killedAt(1 + (kill % 4), path)
    const after = kidsIn(readFileSync(path, 'utf8'))
    t.same(after.slice(-before.length), before)
    t.ok(after.length - before.length <= 1)
    t.equal(statSync(path).mode & 0o777, 0o600)
    before = after
    drafts += readdirSync(join(path, '..')).length - 1
  }
  t.ok(drafts > 0, `${drafts} drafts were left, and ${before.length - 1} rotations were done`)
  t.equal((await adminIn({ KEYS_FILE: path })('rotate-keys')).code, 0)
  t.same(readdirSync(join(path, '..')), ['keys.json'])
})

void t.test('loses no key under concurrent rotations', async (t) => {
  const path = keyFileWith()
  const { PATH = '' } = process.env
  const ends = Array.from({ length: 4 }, async () => {
    const child = spawn(process.execPath, [ADMIN, 'rotate-keys'], {
      env: { PATH, NODE_ENV: 'development', KEYS_FILE: path },
      cwd: tmpdir(),
    })
    return ((await once(child, 'exit')) as [number])[0]
  })
  const codes = await Promise.all(ends)
  const done = codes.filter((code) => code === 0).length
  t.equal(kidsIn(readFileSync(path, 'utf8')).length, 1 + done)
  t.same(readdirSync(join(path, '..')), ['keys.json'])
})
