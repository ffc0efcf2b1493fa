// Compiles the service into dist/. With --if-stale only when something changed since the last time, with --check the
// types are checked as well, which a start should not wait for.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const STAMP = 'dist/.built'
const TEMPLATE = 'dist/embedded-template/PG_VERSION'
const SOURCES = ['src', 'scripts', 'test', 'generated', 'prisma/schema.prisma']
const SETTINGS = ['tsconfig.json', 'package-lock.json', 'prisma.config.ts']

if (!process.argv.includes('--if-stale') || isStale()) build()

function isStale() {
  if (!existsSync(STAMP) || !existsSync(TEMPLATE)) return true
  const builtAtMs = statSync(STAMP).mtimeMs
  return [...SOURCES, ...SETTINGS].some((path) => newestMs(path) > builtAtMs)
}

function newestMs(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))))
}

function build() {
  console.log('Building …')
  run('node_modules/prisma/build/index.js', 'generate')
  for (const folder of ['src', 'scripts', 'test', 'generated']) {
    rmSync(`dist/${folder}`, { recursive: true, force: true }) // what is no source any more
  }
  run('node_modules/typescript/bin/tsc', ...(process.argv.includes('--check') ? [] : ['--noCheck']))
  if (!existsSync(TEMPLATE)) run('dist/scripts/make-template.js')
  writeFileSync(STAMP, '')
}

function run(script, ...args) {
  try {
    execFileSync(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    process.stderr.write(`${error.stdout}${error.stderr}`)
    process.exit(1)
  }
}
