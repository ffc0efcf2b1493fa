// The package of the SDK: its size, dependencies and types.
import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'

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
