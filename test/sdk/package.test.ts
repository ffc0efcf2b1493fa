// The package of the SDK: its size, dependencies and operations.
import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Document } from '../support/examples/fields.ts'

const GZIP_BYTES_MAX = 6000

void t.test('is small', async (t) => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['sdk/dist/index.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
  t.ok(bytes > 1000 && bytes <= GZIP_BYTES_MAX, `${bytes} bytes`)
  t.notOk(Object.keys(metafile.inputs).some((path) => path.includes('admin')))
})

void t.test('has no dependencies', (t) => {
  const manifest = JSON.parse(readFileSync('sdk/package.json', 'utf8')) as object
  t.notOk('dependencies' in manifest || 'peerDependencies' in manifest)
  t.end()
})

void t.test('has the operations of clients, and none that other systems sign', (t) => {
  const { paths } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const signed = operations.filter(({ security = [] }) => JSON.stringify(security).includes('Signature'))
  const ofClients = operations.filter((operation) => !signed.includes(operation))
  const text = readFileSync('sdk/dist/generated/operations.js', 'utf8')
  const rows = [...text.matchAll(/^ {4}(\w+): \{/gm)].map(([, id]) => id)
  t.same(rows.sort(), ofClients.map(({ operationId }) => operationId).sort())
  t.ok(signed.length > 0)
  const types = readFileSync('sdk/dist/generated/types.d.ts', 'utf8')
  for (const { operationId } of signed) t.notMatch(types, operationId)
  t.notMatch(types, 'SmsReceipt')
  t.end()
})
