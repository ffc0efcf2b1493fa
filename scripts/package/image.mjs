// Builds the root file system of the image in a directory, without a container engine: `npm run package -- image <directory>`.
// The base is made of the Debian packages that are in gcr.io/distroless/nodejs24-debian12. Needs Debian's apt-get and dpkg-deb.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeRoot } from './root.mjs'

/** The same major version as in deploy/Dockerfile */
const NODE_VERSION = '24.21.0'
const BASE_PACKAGES = [
  ...['base-files', 'ca-certificates', 'gcc-12-base', 'libc6', 'libgcc-s1'],
  ...['libssl3', 'libstdc++6', 'netbase', 'tzdata'],
]
const PASSWD = 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n'

export function writeImage(directory) {
  const work = mkdtempSync(join(tmpdir(), 'tawthiq-image-'))
  try {
    rmSync(directory, { recursive: true, force: true })
    for (const path of ['dev', 'nodejs/bin', 'proc', 'run/secrets', 'tmp']) {
      mkdirSync(join(directory, path), { recursive: true })
    }
    extractBase(work, directory)
    extractNode(work, directory)
    writeRoot(join(directory, 'app'))
  } finally {
    rmSync(work, { recursive: true })
  }
  return sizesOf(directory)
}

function extractBase(work, directory) {
  const debs = join(work, 'debs')
  mkdirSync(debs)
  execFileSync('apt-get', ['download', ...BASE_PACKAGES], { cwd: debs, stdio: ['ignore', 'ignore', 'pipe'] })
  for (const file of readdirSync(debs)) execFileSync('dpkg-deb', ['--extract', join(debs, file), directory])
  writeFileSync(join(directory, 'etc/passwd'), PASSWD)
}

function extractNode(work, directory) {
  const name = `node-linux-${process.arch}@${NODE_VERSION}`
  const packed = execFileSync('npm', ['pack', '--json', name, '--pack-destination', work])
  const [{ filename }] = JSON.parse(packed.toString())
  execFileSync('tar', ['--extract', '--gzip', '--file', join(work, filename), '-C', work, 'package/bin/node'])
  copyFileSync(join(work, 'package/bin/node'), join(directory, 'nodejs/bin/node'))
}

function sizesOf(directory) {
  const whole = bytesOf(directory)
  const node = bytesOf(join(directory, 'nodejs'))
  const paths = ['dist/service', 'dist/site', 'dist/validators', 'node_modules', 'generated', 'prisma']
  const app = Object.fromEntries(paths.map((path) => [path, bytesOf(join(directory, 'app', path))]))
  const service = bytesOf(join(directory, 'app'))
  return { whole, 'Node.js': node, 'Debian packages': whole - node - service, service, ...app }
}

function bytesOf(directory) {
  return Number(execFileSync('du', ['--bytes', '--summarize', directory]).toString().split('\t')[0])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = writeImage(resolve(process.argv[2]))
  for (const [part, bytes] of Object.entries(sizes)) console.log(`${(bytes / 1e6).toFixed(1).padStart(7)} MB  ${part}`)
}
