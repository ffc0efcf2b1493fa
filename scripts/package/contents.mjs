// What the service needs to run: the files of the build, and the packages that are not in the bundle.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { BUNDLE_LIST, UNBUNDLED } from '../bundle.mjs'

/** Files and directories that the service reads, relative to its root */
const FILES = [
  'dist/routes.bin',
  'dist/site',
  'dist/validators',
  'generated/openapi.json',
  'prisma/migrations',
  'prisma/reference',
  'prisma/released/schema.json',
  'LICENSE',
]
/** What only the embedded database and the demo accounts of development need */
const DEVELOPMENT_FILES = ['dist/embedded-template', 'prisma/demo']
const DEVELOPMENT_PACKAGES = ['@electric-sql/pglite']

/** Files of packages that are never loaded */
const UNUSED = [
  /\.(?:d\.[cm]?ts|map)$|\/(?:README|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY)\.md$/,
  /^node_modules\/(?:piscina\/(?:benchmark|docs|scripts|src|test|test-jest)|sharp\/(?:install|src))(?:\/|$)/,
]

const FIELDS = ['name', 'version', 'description', 'license', 'type', 'engines', 'bin']

export function filesOf({ isDevelopment }) {
  // dist/service also has the files of former builds, which a service that still runs may import.
  return [...readBundle().files, ...FILES, ...(isDevelopment ? DEVELOPMENT_FILES : [])]
}

export function readBundle() {
  return JSON.parse(readFileSync(BUNDLE_LIST, 'utf8'))
}

export function unbundledPackages({ isDevelopment }) {
  return isDevelopment ? UNBUNDLED : UNBUNDLED.filter((name) => !DEVELOPMENT_PACKAGES.includes(name))
}

export function readLock() {
  return JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
}

/** Returns the directories of packages and of everything that they depend on, on all platforms. */
export function withDependencies(names, lock = readLock()) {
  const found = new Set()
  const add = (name, from) => {
    const directory = directoryOf(name, from, lock)
    if (directory === undefined || found.has(directory)) return
    found.add(directory)
    const { dependencies, optionalDependencies } = lock[directory]
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, directory)
  }
  for (const name of names) add(name, '')
  return [...found].sort()
}

/** Returns the directory that Node would find from another package. */
function directoryOf(name, from, lock) {
  for (let parent = from; ; parent = posix.dirname(parent).replace(/^\.$/, '')) {
    const directory = posix.join(parent, 'node_modules', name)
    if (directory in lock) return directory
    if (parent === '') return undefined
  }
}

export function isUsed(path) {
  return !UNUSED.some((pattern) => pattern.test(path))
}

/** Returns a package.json whose dependencies are only those that are not in the bundle. */
export function manifestOf(options) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const described = Object.fromEntries(FIELDS.flatMap((field) => (field in manifest ? [[field, manifest[field]]] : [])))
  const dependencies = unbundledPackages(options).map((name) => [name, manifest.dependencies[name]])
  return { ...described, dependencies: Object.fromEntries(dependencies) }
}
