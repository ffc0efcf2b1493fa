// Packs the service, installs the package in an empty directory as an operator would, and starts it: `npm run package -- check`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at127, freePort, startPart } from '../../dist/scripts/load/parts.js'
import { bytesOf } from './contents.mjs'

const INSTALL = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

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
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOME: cwd, PORT: String(port) }
  const service = await startPart(join(cwd, 'node_modules/.bin/tawthiq'), [], port, { cwd, env })
  try {
    const origin = at127(port)
    const body = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(`${origin}/api/v1/auth/login`, { method: 'POST', headers, body })
    if (status !== 200) throw new Error(`the login of a demo account returns ${status}`)
    if (!(await fetch(`${origin}/docs/`)).ok) throw new Error('the documentation is missing')
  } finally {
    await service.stop()
  }
}

function countPackages(root) {
  return readdirSync(root, { recursive: true }).filter((path) =>
    /(^|node_modules\/)(@[^/]+\/)?[^/@.]+\/package\.json$/.test(path),
  ).length
}
