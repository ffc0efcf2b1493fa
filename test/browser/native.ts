// The SDK with the FormData, Blob, FileReader and fetch of React Native. Run by `npm run test:native -w sdk`.
import type { createTawthiq as createTawthiqType } from '@tawthiq/sdk'
import type { toForm as toFormType } from '@tawthiq/sdk/forms'
import type { nativeStore as nativeStoreType } from '@tawthiq/sdk/native'
import { build, type Plugin } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { image } from '../support/files/files.ts'
import { temporaryFolder } from '../support/processes/process.ts'
import { createDevice } from '../support/sdk/device.ts'
import { openWorld, PASSWORD } from '../support/service/world.ts'

/** They are installed in a temporary directory: the project needs them nowhere else. */
const PACKAGES = ['react-native@0.86.3', 'flow-remove-types@2.336.0', 'whatwg-fetch@3.6.20']
const INSTALL_MS_MAX = 300_000
const HOUR_MS = 3_600_000

/** Globals that the SDK and React Native take from a device, and not from Node.js */
const GLOBALS = 'window self fetch Headers Request Response FormData Blob FileReader XMLHttpRequest crypto'.split(' ')

type Native = {
  createTawthiq: typeof createTawthiqType
  nativeStore: typeof nativeStoreType
  toForm: typeof toFormType
}

/** The modules of React Native that are not JavaScript */
const nativeModules: Plugin = {
  name: 'native modules',
  setup({ onLoad }) {
    onLoad({ filter: /TurboModuleRegistry\.js$/ }, () => ({ contents: 'export const get = () => null' }))
    onLoad({ filter: /NativeBlobModule\.js$/ }, () => ({
      contents: `export default {
        getConstants: () => ({ BLOB_URI_SCHEME: 'blob', BLOB_URI_HOST: null }),
        release: (id) => device.blobs.delete(id),
        addNetworkingHandler() {},
        createFromParts() {},
      }`,
    }))
    onLoad({ filter: /NativeFileReaderModule\.js$/ }, () => ({
      contents: `export default { readAsText: async ({ blobId }) => device.blobs.get(blobId).toString() }`,
    }))
  },
}

t.setTimeout(INSTALL_MS_MAX)
const world = await openWorld()
const person = await world.person()
const folder = temporaryFolder()
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', ...PACKAGES], {
  cwd: folder,
})
const photo = join(folder, 'photo.png')
writeFileSync(photo, await image('png'))

const { createTawthiq, nativeStore, toForm } = await loadNative()
const url = world.service.origin
const items = new Map<string, string>()
const storage = {
  getItem: async (key: string) => items.get(key) ?? null,
  setItem: async (key: string, value: string) => void items.set(key, value),
  removeItem: async (key: string) => void items.delete(key),
}
const tawthiq = createTawthiq({ url, language: 'en', store: nativeStore(storage) })

void t.test('logs in, and stores the session', async (t) => {
  await t.rejects(tawthiq.auth.login({ email: person.email, password: 'wrong' }), { code: 'credentials_wrong' })
  await tawthiq.auth.login({ email: person.email, password: PASSWORD })
  t.match(await tawthiq.getSession(), { user: { id: person.id } })
  t.match(JSON.parse(items.get('tawthiq') ?? ''), { user: { email: person.email } })
})

void t.test('uploads a file by its URI with progress, and downloads it', async (t) => {
  const { user } = await tawthiq.profile.get()
  const file = { uri: pathToFileURL(photo).href, name: 'photo.png', type: 'image/png' }
  for (const options of [{}, { onProgress: () => undefined }]) {
    const updated = await tawthiq.profile.update({ ...toForm(user), profile_photo: file }, options)
    const { blob, name, type } = await tawthiq.files.get(updated.user.profile_photo ?? '')
    t.match({ name, type }, { name: /\.png$/, type: 'image/png' })
    t.ok(blob.size > 0 && !('text' in blob), 'the Blob of React Native')
  }
})

void t.test('reads the errors of fields', async (t) => {
  const result = await tawthiq.profile.update({ account_type: 'client' } as never).result()
  t.match(result, { ok: false, error: { code: 'invalid_data', fields: { name: [{ code: 'required' }] } } })
})

void t.test('refreshes tokens, and sends queries and keys without URLSearchParams and crypto', async (t) => {
  world.wait(HOUR_MS + 1000)
  t.equal((await tawthiq.profile.get()).user.email, person.email)
  t.ok((await tawthiq.lookups.cities({ region_id: 1, q: 'riyadh' })).items.length > 0)
  const number = await tawthiq.auth.checkPhone({ phone_code: '966', phone: 'x' }).result()
  t.match(number, { ok: false, error: { code: 'invalid_data' } })
  await tawthiq.auth.logout()
  t.equal(items.size, 0)
})

/** Returns the SDK in a module whose globals are those of React Native. */
async function loadNative(): Promise<Native> {
  const outfile = join(folder, 'native.mjs')
  await build({
    stdin: { contents: entryFor(join(folder, 'node_modules/react-native/Libraries')), resolveDir: process.cwd() },
    bundle: true,
    format: 'esm',
    nodePaths: [join(folder, 'node_modules')],
    mainFields: ['module', 'main'],
    plugins: [nativeModules, await withoutFlow()],
    define: {
      __DEV__: 'false',
      globalThis: 'device',
      ...Object.fromEntries(GLOBALS.map((name) => [name, `device.${name}`])),
    },
    outfile,
    logLevel: 'silent',
  })
  ;(globalThis as { device?: unknown }).device = createDevice()
  return (await import(pathToFileURL(outfile).href)) as Native // what the entry exports
}

async function withoutFlow(): Promise<Plugin> {
  const path = join(folder, 'node_modules/flow-remove-types/index.js')
  const { default: removeTypes } = (await import(pathToFileURL(path).href)) as {
    default: (source: string, options: object) => { toString(): string }
  }
  return {
    name: 'flow',
    setup({ onLoad }) {
      onLoad({ filter: /react-native\/.*\.js$/ }, ({ path }) => ({
        contents: removeTypes(readFileSync(path, 'utf8'), { all: true, pretty: true }).toString(),
        loader: 'js',
      }))
    },
  }
}

/** The globals come first: `whatwg-fetch` looks at them when it is loaded. */
function entryFor(libraries: string): string {
  return `
import FormData from '${libraries}/Network/FormData.js'
import Blob from '${libraries}/Blob/Blob.js'
import BlobManager from '${libraries}/Blob/BlobManager.js'
import FileReader from '${libraries}/Blob/FileReader.js'
Object.assign(device, { FormData, Blob, FileReader, blobManager: BlobManager })
await import('whatwg-fetch') // sets fetch, Headers, Request and Response
export const { createTawthiq } = await import('@tawthiq/sdk')
export const { nativeStore } = await import('@tawthiq/sdk/native')
export const { toForm } = await import('@tawthiq/sdk/forms')
`
}
