// Versions, and the files that state them: the document, the packages, the lock files, pages and the changelog.
import { applyEdits, modify, type JSONPath } from 'jsonc-parser'
import { join } from 'node:path'

export const LEVELS = ['patch', 'minor', 'major'] as const

export type Level = (typeof LEVELS)[number]
export type Read = (path: string) => Promise<string>

type Package = Readonly<
  { version?: string; link?: boolean; resolved?: string } & Partial<
    Record<(typeof DEPENDENCIES)[number], Record<string, string>>
  >
>
type Lock = Readonly<{ packages: Record<string, Package> }>
type Move = Readonly<{ from: string; to: string }>

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const
/** Pages with the names of packed archives, such as `tawthiq-sdk-0.1.0.tgz` */
const PAGES = ['README.md', 'sdk/README.md', 'docs/deploy.md']
/** The lock file of an application outside of the workspaces, which links to the SDK or has a copy of it */
const EXAMPLE_LOCK = 'examples/react/package-lock.json'
const LINKED_SDK = ['../../sdk', 'node_modules/@tawthiq/sdk']

export function nextVersion(version: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (level === 'major') return `${major + 1}.0.0`
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}

/** Returns the files that state the version, with another one. */
export async function movedFiles(read: Read, move: Move): Promise<Map<string, string>> {
  const [lock, exampleLock] = [await read('package-lock.json'), await read(EXAMPLE_LOCK)]
  const { packages } = JSON.parse(lock) as Lock
  const workspaces = workspacesIn(packages)
  const names = [...workspaces.keys()]
  const folders = ['', ...workspaces.values()]
  const inLock = folders.flatMap((path) =>
    pathsIn(packages[path] ?? {}, move, names).map((rest) => ['packages', path, ...rest]),
  )
  const { packages: linked } = JSON.parse(exampleLock) as Lock
  const inExample = LINKED_SDK.filter((path) => linked[path]?.version !== undefined)
  const files = new Map([
    ['openapi/openapi.yaml', moveDocument(await read('openapi/openapi.yaml'), move)],
    ['package-lock.json', edit(lock, [['version'], ...inLock], move)],
  ])
  for (const folder of folders) {
    const text = await read(join(folder, 'package.json'))
    files.set(join(folder, 'package.json'), edit(text, pathsIn(JSON.parse(text) as Package, move, names), move))
  }
  for (const path of PAGES) {
    const page = await read(path)
    const moved = page.replaceAll(`-${move.from}.tgz`, `-${move.to}.tgz`)
    if (moved !== page) files.set(path, moved)
  }
  const versions = inExample.map((path) => ['packages', path, 'version'])
  return files.set(EXAMPLE_LOCK, edit(exampleLock, versions, move))
}

/** Returns the directories of the workspaces, by the names of their packages. */
function workspacesIn(packages: Lock['packages']): Map<string, string> {
  const links = Object.entries(packages).filter(([, { link }]) => link)
  return new Map(links.map(([path, { resolved = '' }]) => [path.replace(/^node_modules\//, ''), resolved]))
}

/** Returns where a package states the version: its own, and that of the workspaces that it depends on. */
function pathsIn(found: Package, { from }: Move, workspaces: readonly string[]): JSONPath[] {
  const dependencies = DEPENDENCIES.flatMap((kind) =>
    workspaces.filter((name) => found[kind]?.[name] === from).map((name) => [kind, name]),
  )
  return found.version === undefined ? dependencies : [['version'], ...dependencies]
}

function edit(text: string, paths: readonly JSONPath[], { to }: Move): string {
  return paths.reduce((edited, path) => applyEdits(edited, modify(edited, path, to, {})), text)
}

/** Sets `info.version` of the document, whose layout remains. */
function moveDocument(text: string, { from, to }: Move): string {
  const line = `\n  version: ${from}\n`
  if (!text.includes(line)) throw new Error(`openapi/openapi.yaml does not have the version ${from}.`)
  return text.replace(line, `\n  version: ${to}\n`)
}

/** Turns the section Unreleased into that of a version, below a new empty one. Throws if it has no entry. */
export function releaseChangelog(text: string, version: string, date: string): string {
  const [before = '', after] = text.split('## Unreleased\n')
  if (after === undefined) throw new Error('CHANGELOG.md has no section "## Unreleased".')
  const entries = after.split(/^## /m)[0] ?? ''
  if (!/^- /m.test(entries)) throw new Error('CHANGELOG.md has no entries below "## Unreleased".')
  return `${before}## Unreleased\n\n## ${version} - ${date}\n${after}`
}
