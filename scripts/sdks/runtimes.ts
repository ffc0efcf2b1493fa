// Walks the packed SDK in runtimes without a browser.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Unavailable, walkedBy, type GeneratedClient, type Prepared } from './client.ts'
import { mustRun, run } from './command.ts'
import { openFolder, versionOf } from './folder.ts'

type Runtime = {
  name: string
  packages: 'node' | 'bun' | 'deno'
  command: readonly string[]
  file: 'walk.mjs' | 'walk.cjs'
}

const SOURCES = 'clients/sdk'
const DENO = ['node_modules/.bin/deno', 'run', '--no-prompt', '--allow-net']
const RUNTIMES: readonly Runtime[] = [
  { name: 'Node.js, import', packages: 'node', command: [process.execPath], file: 'walk.mjs' },
  { name: 'Node.js, require', packages: 'node', command: [process.execPath], file: 'walk.cjs' },
  { name: 'Bun', packages: 'bun', command: ['node_modules/.bin/bun'], file: 'walk.mjs' },
  { name: 'Deno', packages: 'deno', command: DENO, file: 'walk.mjs' },
]

let packed: Promise<string> | undefined
let folders: Promise<unknown> = Promise.resolve()

export const SDK_RUNTIMES: readonly GeneratedClient[] = RUNTIMES.map((runtime) => ({
  name: runtime.packages,
  inCi: false,
  prepare: () => prepare(runtime),
}))

async function prepare({ name, packages, command: [program = '', ...args], file }: Runtime): Promise<Prepared> {
  const tarball = await (packed ??= pack())
  const opening = folders.then(() => openWithSdk(packages, tarball))
  folders = opening.catch(() => undefined)
  const cwd = await opening
  const path = resolve(cwd, program)
  const { code, output } = await run(path, ['--version'], { cwd })
  if (code !== 0) throw new Unavailable(`it does not run on this machine: ${output.trim().slice(-200)}`)
  const version = packages === 'node' ? (process.versions.node.split('.')[0] ?? '') : versionOf(packages)
  return walkedBy((origin) => [path, ...args, file, origin], { cwd }, { name, version, document: '3.1' })
}

/** Builds and packs the SDK as for its publication. Returns the path of the package. */
async function pack(): Promise<string> {
  const folder = await openFolder('node')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) rmSync(join(folder, file))
  await mustRun('npm', ['run', 'build', '-w', 'sdk'], { cwd: '.' })
  await mustRun('npm', ['pack', '-w', 'sdk', '--pack-destination', folder], { cwd: '.' })
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack has written no package')
  return join(folder, tarball)
}

/** Opens the folder of a runtime with the SDK. The package is unpacked: npm would use an older one of the same version. */
async function openWithSdk(packages: Runtime['packages'], tarball: string): Promise<string> {
  const folder = await openFolder(packages)
  // what the installation of Bun runs: it puts the program of this platform in its place
  if (packages === 'bun') await run(process.execPath, ['install.js'], { cwd: `${folder}/node_modules/bun` })
  const target = `${folder}/node_modules/@tawthiq/sdk`
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  await mustRun('tar', ['-xzf', tarball, '--strip-components', '1'], { cwd: target })
  for (const file of readdirSync(SOURCES)) copyFileSync(`${SOURCES}/${file}`, `${folder}/${file}`)
  return folder
}
