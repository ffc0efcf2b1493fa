// Packs the service as a package that `npm install` can install: `npm run package -- pack [<directory>]`. It depends only on the
// packages that are not in the bundle, and pins their dependencies.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { filesOf, manifestOf, readLock, unbundledPackages, withDependencies } from './contents.mjs'

const OPTIONS = { isDevelopment: true }

const destination = resolve(process.argv[2] ?? '.')
mkdirSync(destination, { recursive: true })
const staged = mkdtempSync(join(tmpdir(), 'tawthiq-package-'))
try {
  for (const path of filesOf(OPTIONS)) cpSync(path, join(staged, path), { recursive: true })
  cpSync('docs/deploy.md', join(staged, 'README.md'))
  const manifest = manifestOf(OPTIONS)
  writeJson('package.json', { ...manifest, files: ['dist', 'generated', 'prisma'] })
  writeJson('npm-shrinkwrap.json', shrinkwrapOf(manifest))
  const options = { cwd: staged, stdio: ['ignore', 'pipe', 'ignore'] }
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], options)
  const [{ filename, size, unpackedSize }] = JSON.parse(packed.toString())
  console.log(join(destination, filename))
  console.error(`${inMegabytes(size)} MB, ${inMegabytes(unpackedSize)} MB unpacked`)
} finally {
  rmSync(staged, { recursive: true })
}

function writeJson(name, content) {
  writeFileSync(join(staged, name), JSON.stringify(content, null, 2))
}

/** Returns the part of package-lock.json that belongs to the package. */
function shrinkwrapOf(manifest) {
  const lock = readLock()
  const packages = withDependencies(unbundledPackages(OPTIONS), lock).map((path) => [path, lock[path]])
  const { name, version } = manifest
  const all = { '': manifest, ...Object.fromEntries(packages) }
  return { name, version, lockfileVersion: 3, requires: true, packages: all }
}

function inMegabytes(bytes) {
  return (bytes / 1e6).toFixed(1)
}
