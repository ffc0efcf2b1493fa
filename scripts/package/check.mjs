// Packs the service, installs the package in an empty directory as an operator would, and starts it: `npm run package -- check`.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesOf } from './contents.mjs'

const INSTALL = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
const START_MS_MAX = 60_000
const LISTENING = /Listening +(http:\S+)/

const directory = mkdtempSync(join(tmpdir(), 'tawthiq-install-'))
try {
  const tarball = execFileSync(process.execPath, ['scripts/package/pack.mjs', directory]).toString().trim()
  writeFileSync(join(directory, 'package.json'), '{"private":true}')
  execFileSync('npm', [...INSTALL, tarball], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  console.log(`${countPackages(join(directory, 'node_modules'))} packages, ${Math.round(bytesOf(directory) / 1e6)} MB`)
  const keys = execFileSync('npx', ['--no-install', 'tawthiq', 'keys'], { cwd: directory }).toString()
  if (!('tokens' in JSON.parse(keys))) throw new Error('tawthiq keys prints no keys')
  await tryService(directory)
  console.log('the installed package serves requests')
} finally {
  rmSync(directory, { recursive: true })
}

/** Starts the service on the embedded database, logs in, and stops it. */
async function tryService(cwd) {
  const env = { PATH: process.env.PATH, HOME: cwd, PORT: '0' }
  const child = spawn(join(cwd, 'node_modules/.bin/tawthiq'), [], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const origin = await originOf(child)
    const body = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(`${origin}/api/v1/auth/login`, { method: 'POST', headers, body })
    if (status !== 200) throw new Error(`the login of a demo account returns ${status}`)
    if (!(await fetch(`${origin}/docs/`)).ok) throw new Error('the documentation is missing')
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

function originOf(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    const deadline = setTimeout(() => reject(new Error(`the service does not listen: ${output}`)), START_MS_MAX)
    child.stdout.on('data', (bytes) => {
      output += bytes
      const origin = LISTENING.exec(output)?.[1]
      if (origin === undefined) return
      clearTimeout(deadline)
      resolve(origin)
    })
    child.on('exit', (code) => reject(new Error(`the service ended with ${code}: ${output}`)))
  })
}

function countPackages(root) {
  return readdirSync(root, { recursive: true }).filter((path) =>
    /(^|node_modules\/)(@[^/]+\/)?[^/@.]+\/package\.json$/.test(path),
  ).length
}
