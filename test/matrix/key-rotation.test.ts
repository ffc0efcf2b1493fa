// A rotation of the keys of two instances, by each way in which they get a new key file: no request fails.
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { newKeys, parseKeyFile, serializeKeyFile } from '../../src/adapters/keys/index.ts'
import { changeKeyFile } from '../../src/adapters/keys/key-file.ts'
import type { KeyFile, KeyKind } from '../../src/adapters/keys/key-file-schema.ts'
import { rotateKey } from '../../src/adapters/keys/rotation.ts'
import { openApp, type App } from '../../src/app.ts'
import type { Config } from '../../src/config/index.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { cellName, matrixCells, type Cell } from '../support/cases/matrix.ts'
import { giveFile, image } from '../support/files/files.ts'
import { temporaryFolder } from '../support/processes/process.ts'
import { sender, type Send } from '../support/service/sender.ts'
import { openService } from '../support/service/service.ts'
import { openWorld, PASSWORD, tokensIn, type Person, type Tokens, type World } from '../support/service/world.ts'

const AXES = {
  procedure: [
    'a file that is read again (systemd, Compose)',
    'a volume whose link is replaced (Kubernetes)',
    'a bind mount of a file that is rewritten',
    'a bind mount of a file that is replaced',
    'a copy at the start (LoadCredential)',
    'the variable KEYS',
  ],
  neighbor: ['not restarted', 'restarted before the reload', 'restarted after the reload'],
  key: ['old key', 'new key'],
  product: ['access token', 'refresh token', 'code', 'file link', 'e-mail', 'repeated request'],
} as const
type Axes = typeof AXES
type KeyCell = Cell<Axes>

const SAMPLE = 14
const KINDS: readonly KeyKind[] = ['tokens', 'codes', 'links', 'refresh_tokens', 'audit_seals']
/** More than the time until a new key of access tokens is used, in steps in which instances compare their keys */
const STEPS = { old: 3, new: 8 }
const STEP_MS = 60_000

/** Where the operator has the key file, and what an instance sees of it */
type Place = {
  rotate(): void
  /** Called at each start of an instance */
  start(instance: string): Config['keys']
  /** Whether a running instance sees the rotated file */
  isReadAgain: boolean
}

function rotated(file: KeyFile): KeyFile {
  return KINDS.reduce((before, kind) => rotateKey(before, kind, Date.now())?.file ?? before, file)
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
}

/** Each does to files what the name says, by the operations of the system that it stands for. */
const PLACES: Record<KeyCell['procedure'], (original: string, folder: string) => Place> = {
  'a file that is read again (systemd, Compose)': (original) => ({
    rotate: () => changeKeyFile(original, rotated),
    start: () => ({ file: original }),
    isReadAgain: true,
  }),
  'a volume whose link is replaced (Kubernetes)': (original, folder) => {
    const volumes = new Set<string>()
    const fill = (volume: string): void => {
      const version = `..${randomUUID()}`
      mkdirSync(join(volume, version), { recursive: true })
      copyFileSync(original, join(volume, version, 'keys.json'))
      symlinkSync(version, join(volume, '..data_tmp'))
      renameSync(join(volume, '..data_tmp'), join(volume, '..data'))
    }
    return {
      rotate() {
        changeKeyFile(original, rotated)
        for (const volume of volumes) fill(volume)
      },
      start(instance) {
        const volume = join(folder, instance, randomUUID()) // each pod has its own
        volumes.add(volume)
        fill(volume)
        symlinkSync(join('..data', 'keys.json'), join(volume, 'keys.json'))
        return { file: join(volume, 'keys.json') }
      },
      isReadAgain: true,
    }
  },
  'a bind mount of a file that is rewritten': (original, folder) => ({
    rotate: () => write(original, serializeKeyFile(rotated(parseKeyFile(readFileSync(original, 'utf8'), 'test')))),
    start: (instance) => ({ file: mount(original, join(folder, instance)) }),
    isReadAgain: true,
  }),
  'a bind mount of a file that is replaced': (original, folder) => ({
    rotate: () => changeKeyFile(original, rotated),
    start: (instance) => ({ file: mount(original, join(folder, instance)) }),
    isReadAgain: false,
  }),
  'a copy at the start (LoadCredential)': (original, folder) => ({
    rotate: () => changeKeyFile(original, rotated),
    start(instance) {
      copyFileSync(original, join(folder, instance))
      return { file: join(folder, instance) }
    },
    isReadAgain: false,
  }),
  'the variable KEYS': (original) => ({
    rotate: () => changeKeyFile(original, rotated),
    start: () => ({ text: readFileSync(original, 'utf8') }),
    isReadAgain: false,
  }),
}

/** A mount of a file leads to its inode, as a hard link does: it still does when another file gets the name. */
function mount(original: string, path: string): string {
  rmSync(path, { force: true })
  linkSync(original, path)
  return path
}

type Instance = { app: App; send(id: OperationId): Send; restart(): Promise<void> }
type Scene = { t: Test; world: World; person: Person; first: Instance; second: Instance; place: Place }

async function openScene(t: Test, { procedure }: KeyCell): Promise<Scene> {
  const folder = temporaryFolder()
  const original = join(folder, 'keys.json')
  write(original, newKeys())
  const place = PLACES[procedure](original, folder)
  const service = await openService()
  const world = await openWorld(service)
  const person = await world.person()
  await giveFile(world, person.id, 'profile_photo', await image())
  await service.app.close() // its keys are others
  const openInstance = async (name: string, address: string): Promise<Instance> => {
    const open = async (): Promise<[App, string]> => {
      const app = await openApp({ ...service.config, keys: place.start(name) }, service.dependencies)
      return [app, await app.server.listen({ host: '127.0.0.1', port: 0 })]
    }
    let [app, origin] = await open()
    return {
      get app() {
        return app
      },
      send: (id) => sender(origin, id, address),
      async restart() {
        await app.close()
        ;[app, origin] = await open()
      },
    }
  }
  const [first, second] = [await openInstance('first', '192.0.2.1'), await openInstance('second', '192.0.2.2')]
  t.teardown(async () => {
    await first.app.close()
    await second.app.close()
    await service.close()
  })
  return { t, world, person, first, second, place }
}

/** Makes something with the keys of an instance. The function that it returns uses it, and returns the status. */
type Product = (scene: Scene) => Promise<(instance: Instance) => Promise<number>>

const PRODUCTS: Record<KeyCell['product'], Product> = {
  async 'access token'({ first, person }) {
    const { token } = await logIn(first, person)
    return async (other) => (await other.send('checkToken')({ token })).status
  },
  async 'refresh token'({ first, person }) {
    const { refresh } = await logIn(first, person)
    return async (other) => (await other.send('refreshToken')({ json: { refresh_token: refresh } })).status
  },
  async code({ first, world }) {
    const form = { phone_code: '966', phone: world.newPhone() }
    await first.send('checkPhone')({ form })
    const otp = /\d{6}/.exec(first.app.outbox?.messages[0]?.text ?? '')?.[0] ?? ''
    return async (other) => (await other.send('confirmPhone')({ form: { ...form, otp } })).status
  },
  async 'file link'({ first, person }) {
    const { token } = await logIn(first, person)
    const { body } = await first.send('getProfile')({ token })
    const link = new URL((body.data.user as { profile_photo: string }).profile_photo, 'http://localhost')
    const path = { file_id: link.pathname.split('/').at(-1) ?? '' }
    return async (other) => {
      return (await other.send('getFile')({ path, query: Object.fromEntries(link.searchParams), token })).status
    }
  },
  async 'e-mail'({ first, person: { email } }) {
    const { background } = first.app.context
    first.app.context.background = { ...background, enqueue: () => undefined } // the other instance sends it
    const { status } = await first.send('requestPasswordReset')({ json: { by: 'email', email } })
    first.app.context.background = background
    return async (other) => {
      await other.app.deliverMails()
      const isSent = [first, other].some(({ app }) => app.outbox?.messages.some(({ to }) => to === email))
      return isSent && status === 202 ? 200 : 0
    }
  },
  async 'repeated request'({ first, world }) {
    const sent = { form: { phone_code: '966', phone: world.newPhone() }, headers: { 'idempotency-key': randomUUID() } }
    await first.send('checkPhone')(sent)
    return async (other) => {
      const { status, headers } = await other.send('checkPhone')(sent)
      return headers['idempotency-replayed'] === 'true' ? status : 0
    }
  },
}

async function logIn(instance: Instance, { email }: Person): Promise<Tokens> {
  return tokensIn(await instance.send('login')({ json: { email, password: PASSWORD } }))
}

/** Each instance accepts the tokens of the other. Returns the names of their keys. */
async function exchange({ t, first, second, person }: Scene, when: string): Promise<string[]> {
  const kids: string[] = []
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const { token } = await logIn(one, person)
    t.equal((await other.send('checkToken')({ token })).status, 200, when)
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
    kids.push(header.kid)
  }
  return kids
}

/** Lets time pass, in which both instances read their files and compare their keys. */
async function wait({ world, first, second }: Scene, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    world.wait(STEP_MS)
    for (const { app } of [second, first]) await app.reloadKeys()
  }
}

/** Rotates the keys, while the neighbor is restarted or not. */
async function rotate(scene: Scene, { neighbor }: KeyCell): Promise<void> {
  const { first, second, place } = scene
  place.rotate()
  if (neighbor === 'restarted before the reload') await second.restart()
  await exchange(scene, 'before the reload')
  for (const { app } of [first, second]) await app.reloadKeys()
  if (neighbor === 'restarted after the reload') await second.restart()
  await exchange(scene, 'after the reload')
}

/** Ends the procedure: instances that do not read the file again are restarted one after the other. */
async function complete(scene: Scene): Promise<void> {
  const { first, second, place } = scene
  await wait(scene, STEPS.old)
  for (const instance of place.isReadAgain ? [] : [first, second]) {
    await exchange(scene, 'while instances have different files')
    await instance.restart()
  }
  await exchange(scene, 'when all instances have the new file')
  await wait(scene, STEPS.new)
}

for (const cell of matrixCells(AXES, SAMPLE)) {
  void t.test(cellName(cell), async (t) => {
    const scene = await openScene(t, cell)
    const { second } = scene
    const old = await exchange(scene, 'before the rotation')
    const make = PRODUCTS[cell.product]
    if (cell.key === 'old key') {
      const use = await make(scene)
      await rotate(scene, cell)
      await wait(scene, STEPS.old)
      t.equal(await use(second), 200)
    } else {
      await rotate(scene, cell)
      await complete(scene)
      const use = await make(scene)
      t.equal(await use(second), 200)
      for (const kid of await exchange(scene, 'after the rotation')) t.notOk(old.includes(kid), 'the new key is used')
    }
  })
}
