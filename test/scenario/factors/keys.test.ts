// Second factors are valid through rotations of all keys, and through the loss of those of authenticator apps.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { fingerprintsOf } from '../../../src/adapters/keys/fingerprints.ts'
import { parseKeyFile, serializeKeyFile } from '../../../src/adapters/keys/index.ts'
import { resealFactors } from '../../../src/cli/admin/reseal-factors.ts'
import { rotateKeys } from '../../../src/cli/admin/rotate-keys.ts'
import { KEY_KINDS } from '../../../src/adapters/keys/key-file-schema.ts'
import { dateKeys, type ByPurpose, type DatedKey } from '../../../src/domain/key-agreement.ts'
import { newPasskey, type Passkey } from '../../support/accounts/authenticator.ts'
import { begin, BY_PASSWORD, protectedPerson, type Protected } from '../../support/accounts/second-factors.ts'
import { doctorIn } from '../../support/processes/commands.ts'
import { openInstallation } from '../../support/processes/installation.ts'
import { keyFileWith, kidsIn } from '../../support/processes/key-files.ts'
import { instanceWith, type Instance } from '../../support/service/instance.ts'
import { openWorld, PASSWORD, sharedService, type World } from '../../support/service/world.ts'

const ROTATIONS = 5
/** Longer than any key is retained that can be removed */
const APART_MS = 90 * 86_400_000
/** More than the wrong codes that are allowed */
const TRIES = 12

const service = await sharedService()
const { keys } = service.config
const text = 'text' in keys ? keys.text : ''

type Owner = Protected & Readonly<{ passkey: Passkey }>

/** Creates a person with an authenticator app and a passkey. */
async function newOwner(world: World): Promise<Owner> {
  const owner = await protectedPerson(world)
  const { passkey, json } = await newPasskey(world, owner.token)
  const { status } = await world.send('addPasskey')({ token: owner.token, json })
  if (status !== 201) throw new Error(`the passkey was not added: ${status}`)
  return { ...owner, passkey }
}

/** Returns the assertion of a passkey for a challenge of an instance. */
async function assertionFor({ send }: Instance, { passkey }: Owner): Promise<object> {
  const { body } = await send('beginPasskeyLogin')({})
  return { credential: passkey.get(body.data as Parameters<Passkey['get']>[0]) }
}

/** Returns the statuses of logins with each kind of factor. */
async function logIns(
  { send }: Instance,
  { person: { email }, nextCode }: Owner,
  given: { recoveryCode: string | undefined; json: object },
): Promise<number[]> {
  const password = { email, password: PASSWORD }
  const app = await send('login')({ json: { ...password, code: nextCode() } })
  const recovery = await send('login')({ json: { ...password, code: given.recoveryCode } })
  const passkey = await send('loginWithPasskey')({ json: given.json })
  return [app.status, recovery.status, passkey.status]
}

void t.test('accepts all factors through five rotations of every kind of keys, and after reseal-factors', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  const file = keyFileWith(text)
  let instance = await instanceWith(service, text)
  for (let rotation = 0; rotation < ROTATIONS; rotation++) {
    world.wait(APART_MS)
    await instance.reloadKeys() // it signs with the newest keys by now
    for (const kind of KEY_KINDS)
      rotateKeys({ name: 'rotate-keys', kind, isPreparation: false }, { file }, service.clock.nowMs())
    const rotated = await instanceWith(service, readFileSync(file, 'utf8'))
    const given = { recoveryCode: owner.recoveryCodes[rotation], json: await assertionFor(instance, owner) }
    t.same(await logIns(rotated, owner, given), [200, 200, 200], `rotation ${rotation + 1}`)
    await instance.close()
    instance = rotated
  }
  const after = readFileSync(file, 'utf8')
  t.equal(kidsIn(after, 'factors').length, 1 + ROTATIONS, 'no key of secrets is removed')
  t.ok(kidsIn(after, 'codes').length < 1 + ROTATIONS, 'keys of other kinds are')

  const { factors, keyHolders } = service.app.context.store
  const running = { id: randomUUID(), name: 'an instance with the earlier file', used: {} }
  const keysOf = (content: string): ByPurpose<DatedKey[]> =>
    dateKeys(fingerprintsOf(parseKeyFile(content, file)), [], 0)
  const reseal = (): Promise<string> => resealFactors({ ...service.config, keys: { file } }, { factors, keyHolders })
  await keyHolders.put({ ...running, keys: keysOf(text) })
  await t.rejects(
    reseal(),
    /These instances do not have the first key of factors yet:[^]* an instance with the earlier file/,
  )
  await keyHolders.put({ ...running, keys: keysOf(after) })
  t.match(await reseal(), 'Secrets encrypted with the first key: 2.', 'that of the app, and what an undo would restore')
  const [newest] = parseKeyFile(after, file).factors
  const alone = await instanceWith(service, JSON.stringify({ ...parseKeyFile(after, file), factors: [newest] }))
  const given = { recoveryCode: owner.recoveryCodes[ROTATIONS], json: await assertionFor(alone, owner) }
  t.same(await logIns(alone, owner, given), [200, 200, 200], 'without the earlier keys')
})

/** Returns the key file of a version before authenticator apps. */
function withoutFactors(): string {
  const { factors: _, ...file } = JSON.parse(serializeKeyFile(parseKeyFile(text, 'KEYS'))) as Record<string, unknown>
  return JSON.stringify(file)
}

void t.test('returns 503 without the keys of apps, counts no wrong code, and loses nothing', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  const { person, token, nextCode, recoveryCodes } = owner
  const without = await instanceWith(service, withoutFactors())
  const login = { email: person.email, password: PASSWORD }
  const requests = {
    login: { json: { ...login, code: nextCode() } },
    reauthenticate: { token, json: { method: 'password', password: PASSWORD, code: nextCode() } },
    beginTotp: { token, ...BY_PASSWORD },
  } as const
  await begin(world, token)
  for (const id of ['login', 'reauthenticate', 'beginTotp'] as const) {
    for (let tries = 0; tries < (id === 'beginTotp' ? 1 : TRIES); tries++) {
      const { status, headers } = await without.send(id)(requests[id])
      t.same([status, headers['error-code']], [503, 'factors_unavailable'], id)
    }
  }
  const confirmed = await without.send('confirmTotp')({ token, json: { code: nextCode() } })
  t.same([confirmed.status, confirmed.headers['error-code']], [503, 'factors_unavailable'])
  t.equal((await without.send('getFactors')({ token })).status, 200)
  t.equal((await without.send('login')({ json: { ...login, code: recoveryCodes[0] } })).status, 200, 'a recovery code')
  const asserted = await without.send('loginWithPasskey')({ json: await assertionFor(without, owner) })
  t.equal(asserted.status, 200, 'a passkey')

  const again = await instanceWith(service, text)
  t.equal((await again.send('login')({ json: { ...login, code: nextCode() } })).status, 200, 'with the keys again')
})

void t.test('has doctor name a key file without the keys of apps', async (t) => {
  const { environment } = await openInstallation(t)
  const doctor = async (given: string): Promise<string> => (await doctorIn({ ...environment, KEYS: given })()).said
  t.match(
    await doctor(withoutFactors()),
    /^WARNING +Keys +valid, but authenticator apps cannot be used: run admin rotate-keys factors$/m,
  )
  t.match(await doctor(text), /^ok +Keys +valid$/m)
})
