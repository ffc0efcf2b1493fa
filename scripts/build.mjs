// Compiles the service into dist/, bundles it into dist/service/ and builds the documentation site, with --if-stale only
// when something changed since the last time. With --sdk it also compiles the SDK into sdk/dist/. Types are not checked,
// which a start should not wait for: npm run types does.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { bundle, BUNDLE } from './bundle.mjs'
import { compile, FOLDERS, orphans } from './compile.mjs'

const STAMP = 'dist/.built'
const TEMPLATE = 'dist/embedded-template/pg_notify/.empty'
/** What test files import as tap */
const TAP = 'dist/test/node_modules/tap'
const SCHEMA = 'prisma/schema.prisma'
const SETTINGS = ['tsconfig.json', 'package-lock.json', 'prisma.config.ts']
/** What the documentation and the account pages are made of */
const PAGES = ['docs', 'CHANGELOG.md', 'openapi', 'pages', 'sdk/src']

/** The SDK is a package of its own, with its own settings and types. */
const SDK = { sources: 'sdk/src', settings: 'sdk/tsconfig.json', state: 'sdk/dist/.tsbuildinfo' }

const isForced = !process.argv.includes('--if-stale')
if (isForced || isStale()) await build()
if (process.argv.includes('--sdk') && (isForced || isSdkStale())) await buildSdk()

function isStale() {
  const outputs = ['dist/routes.bin', 'dist/validators', 'dist/site/site.json', `${BUNDLE}/main.js`]
  const made = [STAMP, TEMPLATE, ...outputs, TAP]
  if (!made.every((path) => existsSync(path)) || orphans().length > 0 || isTemplateStale()) return true
  const builtAtMs = statSync(STAMP).mtimeMs
  return [...FOLDERS, ...SETTINGS, SCHEMA, ...PAGES].some((path) => newestMs(path) > builtAtMs)
}

/** Adding or removing a migration changes the time of the directory. */
function isTemplateStale() {
  return !existsSync(TEMPLATE) || statSync('prisma/migrations').mtimeMs > statSync(TEMPLATE).mtimeMs
}

function isSdkStale() {
  return [SDK.sources, SDK.settings].some((path) => newestMs(path) > newestMs(SDK.state))
}

function newestMs(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))))
}

async function build() {
  console.log('Building …')
  const builtAtMs = existsSync(STAMP) ? statSync(STAMP).mtimeMs : 0
  const isNewer = (path) => newestMs(path) > builtAtMs
  if (!existsSync('generated/prisma/client.ts') || [SCHEMA, ...SETTINGS].some(isNewer))
    await run('node_modules/prisma/build/index.js', 'generate')
  const bundled = bundle()
  await compile({ all: SETTINGS.some(isNewer) })
  if (!existsSync(TAP)) linkTap()
  await Promise.all([
    bundled,
    run('dist/scripts/make-routes.js').then(() => run('dist/scripts/make-validators.js')),
    run('dist/scripts/site.js'),
    ...(isTemplateStale() ? [run('dist/scripts/make-template.js')] : []),
  ])
  writeFileSync(STAMP, '')
}

function linkTap() {
  mkdirSync(dirname(TAP), { recursive: true })
  rmSync(TAP, { force: true }) // a link to a directory that was moved
  symlinkSync('../../../scripts/suite/tap', TAP, 'junction')
}

async function buildSdk() {
  const compiler = ['-p', SDK.settings, '--noCheck', '--incremental', '--tsBuildInfoFile', SDK.state]
  await run('node_modules/typescript/bin/tsc', ...compiler)
  utimesSync(SDK.state, new Date(), new Date()) // not written if nothing changed
}

async function run(script, ...args) {
  const running = promisify(execFile)(process.execPath, [script, ...args])
  running.child.stdin.end()
  await running.catch(({ stdout, stderr }) => {
    process.stderr.write(`${stdout}${stderr}`)
    process.exit(1)
  })
}
