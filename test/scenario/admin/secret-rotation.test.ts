// Separate rotation of the keys of codes, links and refresh tokens, without effects for clients.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseKeyFile, parseKeys } from '../../../src/adapters/keys/index.ts'
import { hmacRefreshTokens } from '../../../src/adapters/tokens/refresh-tokens.ts'
import { rotateKeys } from '../../../src/cli/admin/rotate-keys.ts'
import { adminIn } from '../../support/processes/admin-command.ts'
import { giveFile, image } from '../../support/files/files.ts'
import { instanceWith, type Instance } from '../../support/service/instance.ts'
import { keyFileWith, kidsIn, SECRET_KINDS, sharedKeys } from '../../support/processes/key-files.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type Tokens } from '../../support/service/world.ts'

const MINUTE_MS = 60_000

/** Of two instances, one knows the new keys, and one uses them. */
type Stage = { aware: Instance; ready: Instance }

const { texts, said } = rotationOfAll()
let opened: Promise<Stage> | undefined

/** Rotates keys like an operator whose instances restart one after the other; returns the key files of each step. */
function rotationOfAll(): { texts: Record<keyof Stage, string>; said: string[] } {
  const path = keyFileWith()
  const said: string[] = []
  const textAfter = (isPreparation: boolean): string => {
    for (const kind of SECRET_KINDS) {
      said.push(rotateKeys({ name: 'rotate-keys', kind, isPreparation }, { file: path }, Date.now()).message)
    }
    return readFileSync(path, 'utf8')
  }
  return { texts: { aware: textAfter(true), ready: textAfter(false) }, said }
}

function stage(): Promise<Stage> {
  opened ??= sharedService({ keys: { text: texts.aware } }).then(async (service) => {
    const aware = await instanceWith(service, texts.aware)
    await (await instanceWith(service, withoutOldKeys(texts.ready))).close() // keys that were used need not wait
    return { aware, ready: await instanceWith(service, texts.ready) }
  })
  return opened
}

function withoutOldKeys(text: string): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(parseKeyFile(text, 'test')).map(([kind, [key]]) => [kind, [key]])),
  )
}

async function sendCode({ send, codeTo }: Instance, phone: string): Promise<string> {
  const { status } = await send('checkPhone')({ form: { phone_code: '966', phone } })
  t.equal(status, 200)
  return codeTo(phone)
}

async function confirm({ send }: Instance, phone: string, otp: string): Promise<number> {
  return (await send('confirmPhone')({ form: { phone_code: '966', phone, otp } })).status
}

void t.test('prints the next step of each rotation', (t) => {
  const what = ['one-time codes', 'file links', 'refresh tokens']
  for (const [at, made] of what.entries()) {
    t.match(
      said[at],
      new RegExp(`^The key \\S+ is prepared\\. It is not used for ${made} yet\\.\\nInstances that read this file`),
    )
    t.match(
      said[at + 3],
      new RegExp(`^The service will use the key \\S+ for new ${made} when all instances have had it for 2 minutes`),
    )
  }
  t.end()
})

void t.test('confirms codes on every instance that knows their key', async (t) => {
  const { aware, ready } = await stage()
  const world = await openWorld()
  for (const [sending, confirming] of [
    [aware, ready],
    [ready, aware],
  ] as const) {
    const phone = world.newPhone()
    const code = await sendCode(sending, phone)
    t.equal(await confirm(confirming, phone, code), 200)
  }

  const phone = world.newPhone()
  const code = await sendCode(aware, phone)
  world.wait(2 * MINUTE_MS)
  t.equal(await sendCode(ready, phone), code, 'a resend after the restart has the same code')
  t.equal(await confirm(ready, phone, code), 200)
})

void t.test('exchanges an old refresh token once for one of the new key', async (t) => {
  const { aware, ready } = await stage()
  const world = await openWorld()
  const [newKey] = parseKeys(texts.ready, 'test').refreshTokens
  const isNew = (token: string): boolean => hmacRefreshTokens([newKey]).read(token) !== undefined
  const person = await world.person()
  const exchange = async ({ send }: Instance, token: string): Promise<string | number> => {
    const received = await send('refreshToken')({ json: { refresh_token: token } })
    return received.status === 200 ? tokensIn(received).refresh : received.status
  }

  const old = (await logIn(aware, person)).refresh
  t.equal(isNew(old), false)
  const [successor, again] = [String(await exchange(ready, old)), String(await exchange(ready, old))]
  t.equal(isNew(successor), true)
  t.equal(again, successor, 'a retry after a lost response returns the same successor')
  const elsewhere = String(await exchange(aware, old))
  t.equal(isNew(elsewhere), false)
  const next = String(await exchange(aware, successor))
  t.equal(await exchange(aware, elsewhere), next, 'the successor of another instance belongs to the same exchange')
  t.equal(typeof (await exchange(ready, next)), 'string')
  t.equal(await exchange(ready, old), 401, 'reuse after that ends the session')
  t.equal(await exchange(ready, next), 401)

  t.equal(typeof (await exchange(aware, (await logIn(ready, person)).refresh)), 'string')
})

void t.test('accepts old links on every instance that knows their key', async (t) => {
  const { aware, ready } = await stage()
  const world = await openWorld()
  const person = await world.person()
  await giveFile(world, person.id, 'profile_photo', await image())
  t.equal(await readBy(ready, await linkOf(aware, person)), 200)
  t.equal(await readBy(aware, await linkOf(ready, person)), 200)
})

async function logIn({ send }: Pick<Instance, 'send'>, { email }: Person): Promise<Tokens> {
  return tokensIn(await send('login')({ json: { email, password: PASSWORD } }))
}

async function linkOf({ send }: Instance, person: Person): Promise<URL> {
  const { token } = await logIn({ send }, person)
  const { body } = await send('getProfile')({ token })
  return new URL((body.data.user as { profile_photo: string }).profile_photo, 'http://localhost')
}

async function readBy({ send }: Instance, { pathname, searchParams }: URL): Promise<number> {
  const path = { file_id: pathname.split('/').at(-1) ?? '' }
  return (await send('getFile')({ path, query: Object.fromEntries(searchParams) })).status
}

void t.test('keeps everything valid while the keys of a shared secret are replaced', async (t) => {
  const path = keyFileWith(sharedKeys())
  const admin = adminIn({ KEYS_FILE: path })
  const shared = readFileSync(path, 'utf8')
  const world = await openWorld()
  const { service } = world
  const person = await world.person()
  await giveFile(world, person.id, 'profile_photo', await image())
  const old = await instanceWith(service, shared)
  const phone = world.newPhone()
  const code = await sendCode(old, phone)
  const { token, refresh } = await logIn(old, person)
  const link = await linkOf(old, person)

  t.match((await admin('rotate-keys')).said, /Some of codes, links and refresh-tokens still share a secret/)
  for (const kind of SECRET_KINDS) t.same(kidsIn(readFileSync(path, 'utf8'), kind), ['otp'])
  t.match((await admin('rotate-keys', 'codes')).said, /still share a secret/)
  t.match((await admin('rotate-keys', 'links')).said, /Existing ones, signed with otp, stay valid until they expire\./)
  t.notMatch((await admin('rotate-keys', 'refresh-tokens')).said, /share a secret/)
  const separate = readFileSync(path, 'utf8')
  for (const kind of SECRET_KINDS) t.match(kidsIn(separate, kind), [/^(codes|links|refresh-tokens)-20/, /^otp$/])

  const restarted = await instanceWith(service, separate)
  t.equal((await restarted.send('checkToken')({ token })).status, 200)
  t.equal(await confirm(restarted, phone, code), 200)
  t.equal(await readBy(restarted, link), 200)
  t.equal((await restarted.send('refreshToken')({ json: { refresh_token: refresh } })).status, 200)
})
