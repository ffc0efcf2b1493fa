// Prints a CycloneDX bill of materials of what is delivered: the packages in the bundle and those beside it.
// `npm run -s package -- sbom > sbom.json`
import { execFileSync } from 'node:child_process'
import { readBundle, readLock, unbundledPackages, withDependencies } from './contents.mjs'

const OUTPUT_BYTES_MAX = 64 * 1024 ** 2

const lock = readLock()
const unbundled = withDependencies(unbundledPackages({ isDevelopment: true }), lock)
const references = new Set([...readBundle().packages, ...unbundled].map(referenceOf))
const command = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
const bom = JSON.parse(execFileSync('npm', command, { maxBuffer: OUTPUT_BYTES_MAX }).toString())
const root = bom.metadata.component
root.name = 'tawthiq' // npm takes the name of the directory

bom.components = bom.components.filter((each) => references.has(referenceIn(each))).map(asRequired)
const listed = new Set([root['bom-ref'], ...bom.components.map((each) => each['bom-ref'])])
bom.dependencies = bom.dependencies
  .filter(({ ref }) => listed.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => listed.has(each)) }))
const direct = bom.dependencies.find(({ ref }) => ref === root['bom-ref'])
direct.dependsOn = [...listed].filter((ref) => ref !== root['bom-ref'])

const missing = [...references].filter((each) => !bom.components.some((component) => referenceIn(component) === each))
if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`)
console.log(JSON.stringify(bom, null, 2))

/** A package that only the build installs is delivered too, if its code is in the bundle. */
function asRequired({ properties = [], ...component }) {
  const rest = properties.filter(({ name }) => name !== 'cdx:npm:package:development')
  return { ...component, properties: rest, scope: 'required' }
}

function referenceOf(directory) {
  const name = lock[directory].name ?? directory.replace(/^.*node_modules\//, '')
  return `${name}@${lock[directory].version}`
}

function referenceIn({ name, version }) {
  return `${name}@${version}`
}
