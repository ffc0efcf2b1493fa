// Bundles the programs of the service into dist/service/, so that a start reads a few files instead of 1,600. Each entry
// and each module that is imported on demand is a file of its own.
import { build } from 'esbuild'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'

export const BUNDLE = 'dist/service'
/** Lists the files of the bundle, and the packages whose code is in it by their directories */
export const BUNDLE_LIST = 'dist/bundle.json'

const PROGRAMS = {
  main: 'src/main.ts',
  admin: 'src/cli/admin/main.ts',
  import: 'src/cli/import/main.ts',
  keys: 'src/cli/keys/main.ts',
}
const WORKERS = {
  'engine-worker': 'src/database/embedded/engine-worker.ts',
  'hash-worker': 'src/adapters/passwords/worker.ts',
  'pdf-worker': 'src/adapters/files/pdf/worker.ts',
  'strength-worker': 'src/adapters/passwords/strength/worker.ts',
}
/** Packages that load files from their own folder: native code, WebAssembly, workers */
export const UNBUNDLED = ['sharp', '@electric-sql/pglite', 'piscina']

/** What packages in CommonJS expect */
const COMMONJS = `import { createRequire as createRequireOfBundle } from 'node:module'
import { dirname as dirnameOfBundle } from 'node:path'
import { fileURLToPath as fileURLToPathOfBundle } from 'node:url'
const require = createRequireOfBundle(import.meta.url)
const __filename = fileURLToPathOfBundle(import.meta.url)
const __dirname = dirnameOfBundle(__filename)`

const DAY_MS = 86_400_000

export async function bundle() {
  const { metafile } = await build({
    entryPoints: { ...PROGRAMS, ...WORKERS },
    outdir: BUNDLE,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'], // jsonc-parser in CommonJS cannot be bundled
    external: UNBUNDLED,
    banner: { js: COMMONJS },
    define: {
      // As in Node 21 and later. Without it, pg looks for Cloudflare by means of fetch, which takes 25 ms to load.
      navigator: '{"userAgent":"Node.js"}',
      // On Node 20, each command would warn that a later SDK needs another version.
      'process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED': '"true"',
    },
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [ownFiles, withoutMaps],
    metafile: true,
    logLevel: 'error',
  })
  const files = Object.keys(metafile.outputs).sort()
  await writeFile(BUNDLE_LIST, JSON.stringify({ files, packages: packagesOf(metafile) }, null, 2))
  await removeOld(new Set(files.map((path) => basename(path))))
}

/** Returns the directories of the packages with code in the bundle, such as `node_modules/pg`. */
function packagesOf({ inputs }) {
  const directories = Object.keys(inputs).flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [])
  return [...new Set(directories)].sort()
}

/** Removes the files of builds of earlier days. A service that still runs may import those of the last one. */
async function removeOld(written) {
  for (const name of await readdir(BUNDLE)) {
    const path = join(BUNDLE, name)
    if (!written.has(name) && (await stat(path)).mtimeMs < Date.now() - DAY_MS) await rm(path)
  }
}

/** Finds workers in the bundle, and other files from where the compiler would have written the module. */
const ownFiles = {
  name: 'own-files',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|generated)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (path.includes('/node_modules/') || !text.includes('import.meta.url')) return undefined
      const written = `../${relative(process.cwd(), path).replace(/\.ts$/, '.js')}`
      const contents = text.replaceAll(/new URL\('([\w-]+)\.js', import\.meta\.url\)|import\.meta\.url/g, (_, name) => {
        if (name === undefined) return `new URL('${written}', import.meta.url).href`
        return `new URL('./${workerAt(join(dirname(path), `${name}.ts`))}.js', import.meta.url)`
      })
      return { contents, loader: 'ts' }
    })
  },
}

function workerAt(path) {
  const [name] = Object.entries(WORKERS).find(([, source]) => resolve(source) === path) ?? []
  if (name === undefined) throw new Error(`scripts/bundle.mjs does not list the worker ${path}`)
  return name
}

const withoutMaps = {
  name: 'without-maps',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const mappings = `${';'.repeat(text.split('\n').length)}AAAA`
      const empty = Buffer.from(JSON.stringify({ version: 3, sources: ['package'], names: [], mappings }))
      const url = `data:application/json;base64,${empty.toString('base64')}`
      return { contents: `${text}\n//# sourceMappingURL=${url}`, loader: 'js' }
    })
  },
}
