// The package of the SDK: its size, dependencies and operations.
import { build } from 'esbuild'
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Document } from '../support/examples/fields.ts'

const GZIP_BYTES_MAX = 6000
type Entry = { types: string; default: string }

type Manifest = {
  files: string[]
  exports: Record<string, { import: Entry; require: Entry }>
  typesVersions: { '*': Record<string, string[]> }
}

/** What modules add to the main one */
const GZIP_BYTES_MAX_OF = {
  factors: 350,
  forms: 4200,
  native: 250,
  passkeys: 1850,
  react: 1200,
  web: 700,
  webhooks: 900,
}

async function bundled(...entries: string[]): Promise<{ bytes: number; inputs: string[] }> {
  const contents = entries.map((entry) => `export * from './${entry}.js'`).join('\n')
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: 'sdk/dist' },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['react'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
  return { bytes, inputs: Object.keys(metafile.inputs) }
}

void t.test('is small', async (t) => {
  const { bytes, inputs } = await bundled('index')
  t.ok(bytes > 1000 && bytes <= GZIP_BYTES_MAX, `${bytes} bytes`)
  for (const module of ['admin', 'fields', 'web-store', 'native-store', 'factor', 'passkey', 'react', 'webhooks']) {
    t.notOk(
      inputs.some((path) => path.includes(module)),
      module,
    )
  }
  for (const [entry, maximum] of Object.entries(GZIP_BYTES_MAX_OF)) {
    const added = (await bundled('index', entry)).bytes - bytes
    t.ok(added <= maximum, `${entry}: ${added} bytes`)
  }
})

void t.test('has no dependencies, and React as an optional one', (t) => {
  const manifest = JSON.parse(readFileSync('sdk/package.json', 'utf8')) as object
  t.notOk('dependencies' in manifest)
  t.match(manifest, { peerDependencies: { react: '>=18' }, peerDependenciesMeta: { react: { optional: true } } })
  t.end()
})

void t.test('has a declaration and a file in both formats for each module', (t) => {
  const { exports, typesVersions, files } = JSON.parse(readFileSync('sdk/package.json', 'utf8')) as Manifest
  t.ok(files.includes('dist') && Object.keys(exports).length >= 7)
  for (const [path, { import: module, require: common }] of Object.entries(exports)) {
    const name = path === '.' ? 'index' : path.slice(2)
    t.ok(existsSync(`sdk/src/${name}.ts`))
    t.same(module, { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` })
    t.same(common, { types: `./dist/cjs/${name}.d.ts`, default: `./dist/cjs/${name}.js` })
    if (path !== '.') t.same(typesVersions['*'][name], [`./dist/cjs/${name}.d.ts`], 'for older resolution')
  }
  t.end()
})

void t.test('has the operations of clients, and none that other systems sign', (t) => {
  const { paths } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const signed = operations.filter(({ security = [] }) => JSON.stringify(security).includes('Signature'))
  const ofClients = operations.filter((operation) => !signed.includes(operation))
  const tables = ['operations', 'admin-operations', 'factor-operations', 'passkey-operations'].map((name) =>
    readFileSync(`sdk/dist/generated/${name}.js`, 'utf8'),
  )
  const rows = [...tables.join('\n').matchAll(/^ {4}(\w+): '/gm)].map(([, id]) => id)
  t.same(rows.sort(), ofClients.map(({ operationId }) => operationId).sort())
  t.ok(signed.length > 0)
  const types = readFileSync('sdk/dist/generated/types.d.ts', 'utf8')
  for (const { operationId } of signed) t.notMatch(types, operationId)
  t.notMatch(types, 'SmsReceipt')
  t.end()
})
