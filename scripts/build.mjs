// Compiles the service into dist/, bundles it into dist/service/ and builds the documentation site, with --if-stale only
// when something changed since the last time. With --sdk it also compiles the SDK into sdk/dist/. Types are not checked,
// which a start should not wait for: npm run types does. A build without --if-stale compresses the site as well as
// possible, which takes 12 s once for each version of its largest script.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { bundle, BUNDLE } from './bundle.mjs'
import { compile, FOLDERS, orphans } from './compile.mjs'

const STAMP = 'dist/.built'
const TEMPLATE = 'dist/embedded-template/pg_notify/.empty'
const ROUTES = 'dist/routes.bin'
const VALIDATORS = 'dist/validators'
const SITE = 'dist/site/site.json'
/** What test files import as tap */
const TAP = 'dist/test/node_modules/tap'
const MAIN = `${BUNDLE}/main.js`
const SCHEMA = 'prisma/schema.prisma'
const MIGRATIONS = 'prisma/migrations'
const PRISMA_CLIENT = 'generated/prisma/client.ts'
const SETTINGS = ['tsconfig.json', 'package-lock.json', 'prisma.config.ts']
/** What the documentation and the account pages are made of */
const PAGES = ['docs', 'CHANGELOG.md', 'openapi', 'pages', 'sdk/src']

/** The SDK is a package of its own, with its own settings and types. */
const SDK = { sources: 'sdk/src', settings: 'sdk/tsconfig.json', state: 'sdk/dist/.tsbuildinfo' }

const isForced = !process.argv.includes('--if-stale')
if (isForced || isStale()) await build()
if (process.argv.includes('--sdk') && (isForced || isSdkStale())) buildSdk()

function isStale() {
  const made = [STAMP, TEMPLATE, ROUTES, VALIDATORS, SITE, MAIN, TAP]
  if (!made.every((path) => existsSync(path)) || orphans().length > 0 || isTemplateStale()) return true
  const builtAtMs = statSync(STAMP).mtimeMs
  return [...FOLDERS, ...SETTINGS, SCHEMA, ...PAGES].some((path) => newestMs(path) > builtAtMs)
}

/** Adding or removing a migration changes the time of the directory. */
function isTemplateStale() {
  return !existsSync(TEMPLATE) || statSync(MIGRATIONS).mtimeMs > statSync(TEMPLATE).mtimeMs
}

function isSdkStale() {
  return newestMs(SDK.sources) > newestMs(SDK.state) || newestMs(SDK.settings) > newestMs(SDK.state)
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
  if (!existsSync(PRISMA_CLIENT) || [SCHEMA, ...SETTINGS].some(isNewer)) {
    run('node_modules/prisma/build/index.js', 'generate')
  }
  const bundled = bundle()
  await compile({ all: SETTINGS.some(isNewer) })
  if (!existsSync(TAP)) linkTap()
  await Promise.all([
    bundled,
    runAside('dist/scripts/make-routes.js').then(() => runAside('dist/scripts/make-validators.js')),
    runAside('dist/scripts/site.js', ...(isForced ? [] : ['--fast'])),
    ...(isTemplateStale() ? [runAside('dist/scripts/make-template.js')] : []),
  ])
  writeFileSync(STAMP, '')
}

function linkTap() {
  mkdirSync(dirname(TAP), { recursive: true })
  rmSync(TAP, { force: true }) // a link to a directory that was moved
  symlinkSync('../../../scripts/suite/tap', TAP, 'junction')
}

function buildSdk() {
  const compiler = ['-p', SDK.settings, '--noCheck', '--incremental', '--tsBuildInfoFile', SDK.state]
  run('node_modules/typescript/bin/tsc', ...compiler)
  utimesSync(SDK.state, new Date(), new Date()) // not written if nothing changed
}

function run(script, ...args) {
  try {
    execFileSync(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    fail(error)
  }
}

/** Runs a script beside others. */
async function runAside(script, ...args) {
  await promisify(execFile)(process.execPath, [script, ...args]).catch(fail)
}

function fail({ stdout, stderr }) {
  process.stderr.write(`${stdout}${stderr}`)
  process.exit(1)
}
