import { readFileSync } from 'node:fs'
import { unbundledPackages } from './contents.mjs'

/** The fields that describe the package */
const FIELDS = ['name', 'version', 'description', 'license', 'type', 'engines', 'bin']

/** Returns a package.json whose dependencies are only those that are not in the bundle. */
export function manifestOf(options) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const described = Object.fromEntries(FIELDS.flatMap((field) => (field in manifest ? [[field, manifest[field]]] : [])))
  const dependencies = unbundledPackages(options).map((name) => [name, manifest.dependencies[name]])
  return { ...described, dependencies: Object.fromEntries(dependencies) }
}
