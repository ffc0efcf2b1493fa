// Builds the root file system of the image, and starts the service in it as the image does: without other files, read-only,
// and as a user without rights. `npm run package -- try` needs Linux, root, and the servers of DATABASE_URL and REDIS_URL.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMicros } from '../../dist/scripts/load/parts.js'
import { createDatabase, dropDatabase, withDatabase } from '../../dist/scripts/schema-engine/servers.js'
import { writeImage } from './image.mjs'

const SIZE_MB_MAX = 250
/** The CPU time of a start, divided by that of REFERENCE: a machine can be twice as fast as another one, or as itself */
const START_RATIO_MAX = 4.5
/** Starts that are measured. The fastest counts. */
const STARTS = 3
const REFERENCE = `
const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, text: String(at) })))
for (let times = 0; times < 40; times++) JSON.parse(text)
const { user, system } = process.cpuUsage()
console.log((user + system) / 1000)`
const CONVERSION = `
import sharp from '/app/node_modules/sharp/dist/index.mjs'
const create = { width: 8, height: 8, channels: 3, background: 'red' }
console.log((await sharp({ create }).webp().toBuffer()).length)`
const PORT = 20_000 + (process.pid % 20_000)
const ORIGIN = `http://127.0.0.1:${PORT}`
const USER = '65532:65532'
const { DATABASE_URL = 'postgresql://postgres@127.0.0.1:5432/postgres', REDIS_URL = 'redis://127.0.0.1:6379' } =
  process.env
const CHROOT = `mount --bind "$0" "$0" && mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
mount -t tmpfs -o mode=1777 tmpfs "$0/tmp" && mount -o remount,ro,bind "$0" "$0" &&
exec chroot --userspec=${USER} "$0" "$@"`

const root = mkdtempSync(join(tmpdir(), 'tawthiq-root-'))
const database = `tawthiq_image_${process.pid}`
const databaseUrl = withDatabase(DATABASE_URL, database)
const checks = []
try {
  const { whole } = writeImage(root)
  check(`the root file system has ${Math.round(whole / 1e6)} MB`, whole / 1e6 <= SIZE_MB_MAX)
  await createDatabase(databaseUrl)
  const environment = {
    NODE_ENV: 'production',
    PORT: String(PORT),
    DATABASE_URL: databaseUrl,
    REDIS_URL,
    REDIS_PREFIX: database,
    FILES_DIR: '/tmp/files',
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: 'https://sms.invalid/send',
    SHUTDOWN_DELAY: '0',
    KEYS: inRoot(['keys'], {}).stdout,
  }
  check('sharp converts an image', Number(runInRoot(CONVERSION)) > 0)
  await tryService(environment, 'the first start, which migrates, is ready')
  const starts = []
  const references = []
  for (let measured = 0; measured < STARTS; measured++) {
    references.push(Number(runInRoot(REFERENCE)))
    starts.push(await tryService(environment, 'the next start is ready'))
  }
  const ratio = Math.min(...starts) / Math.min(...references)
  check(`the start takes ${ratio.toFixed(2)} times the CPU time of the reference`, ratio <= START_RATIO_MAX)
  const { status, stderr } = inRoot([], { NODE_ENV: 'production' })
  check('a start without configuration says what is missing', status === 1 && stderr.includes('DATABASE_URL'))
} finally {
  await dropDatabase(databaseUrl)
  rmSync(root, { recursive: true })
}
process.exit(checks.every(Boolean) ? 0 : 1)

function check(what, isTrue) {
  checks.push(isTrue)
  console.log(`${isTrue ? 'ok    ' : 'FAILED'} ${what}`)
}

function commandIn(args) {
  return ['--mount', 'sh', '-c', CHROOT, root, '/nodejs/bin/node', ...args]
}

function inRoot(args, env) {
  const options = { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }
  try {
    return { status: 0, stdout: execFileSync('unshare', commandIn(['/app/dist/service/main.js', ...args]), options) }
  } catch ({ status, stderr }) {
    return { status, stderr }
  }
}

function runInRoot(code) {
  return execFileSync('unshare', commandIn(['--input-type=module', '-e', code]), { encoding: 'utf8' })
}

/** Returns the CPU time until the service is ready. */
async function tryService(env, what) {
  const startMs = performance.now()
  const child = spawn('unshare', commandIn(['/app/dist/service/main.js', 'serve']), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = []
  child.stdout.on('data', (bytes) => output.push(bytes.toString()))
  try {
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`the service ended: ${output.join('')}`)
      await sleep(10)
    }
    const ms = Math.round(performance.now() - startMs)
    const cpuMs = cpuMicros(child.pid) / 1000
    check(`${what} after ${ms} ms, with ${cpuMs} ms of CPU`, true)
    check('it rejects a login, after hashing the password in a thread', (await login()) === 401)
    check('it serves the documentation', (await fetch(`${ORIGIN}/docs/`)).ok)
    return cpuMs
  } finally {
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    check('it ends with code 0', code === 0)
  }
}

async function isReady() {
  const response = await fetch(`${ORIGIN}/health/ready`).catch(() => undefined)
  return response?.ok ?? false
}

async function login() {
  const body = JSON.stringify({ email: 'stranger@example.org', password: 'wrong password' })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${ORIGIN}/api/v1/auth/login`, { method: 'POST', headers, body })).status
}
