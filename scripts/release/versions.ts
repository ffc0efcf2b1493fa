// The files that state the version: the document, the package, its workspaces and the lock file.
import { applyEdits, modify, type JSONPath } from 'jsonc-parser'

/** A package as package.json and the lock file describe it */
export type Package = Readonly<
  { name?: string; version?: string; link?: boolean; resolved?: string } & Partial<
    Record<Dependencies, Record<string, string>>
  >
>
type Dependencies = (typeof DEPENDENCIES)[number]
export type Lock = Readonly<{ version: string; packages: Record<string, Package> }>

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const

const LINKED_SDK = ['../../sdk', 'node_modules/@tawthiq/sdk']

export type Move = Readonly<{ from: string; to: string }>

/** Returns the directories of the workspaces, by the names of their packages. */
export function workspacesIn({ packages }: Lock): Map<string, string> {
  const links = Object.entries(packages).filter(([, { link }]) => link)
  return new Map(links.map(([path, { resolved = '' }]) => [path.replace(/^node_modules\//, ''), resolved]))
}

/** Sets the version of a package, and of the workspaces that it depends on. */
export function movePackage(text: string, move: Move, workspaces: readonly string[]): string {
  return edit(text, pathsIn(JSON.parse(text) as Package, move, workspaces), move.to)
}

/** Sets the versions of the package and of its workspaces in the lock file. */
export function moveLock(text: string, move: Move): string {
  const lock = JSON.parse(text) as Lock
  const workspaces = workspacesIn(lock)
  const within = ['', ...workspaces.values()].flatMap((path) =>
    pathsIn(lock.packages[path] ?? {}, move, [...workspaces.keys()]).map((rest) => ['packages', path, ...rest]),
  )
  return edit(text, [['version'], ...within], move.to)
}

/** Sets the version of the SDK in the lock file of an application that links to it or has a copy of it. */
export function moveLinked(text: string, { to }: Move): string {
  const { packages } = JSON.parse(text) as Lock
  const paths = LINKED_SDK.filter((path) => packages[path]?.version !== undefined)
  return edit(
    text,
    paths.map((path) => ['packages', path, 'version']),
    to,
  )
}

/** Sets `info.version` of the document, whose layout remains. */
export function moveDocument(text: string, { from, to }: Move): string {
  const line = `\n  version: ${from}\n`
  if (!text.includes(line)) throw new Error(`openapi/openapi.yaml does not have the version ${from}.`)
  return text.replace(line, `\n  version: ${to}\n`)
}

/** Sets the version in the names of packed archives, such as `tawthiq-sdk-0.1.0.tgz`. */
export function moveArchives(text: string, { from, to }: Move): string {
  return text.replaceAll(`-${from}.tgz`, `-${to}.tgz`)
}

function pathsIn(found: Package, { from }: Move, workspaces: readonly string[]): JSONPath[] {
  const dependencies = DEPENDENCIES.flatMap((kind) =>
    workspaces.filter((name) => found[kind]?.[name] === from).map((name) => [kind, name]),
  )
  return found.version === undefined ? dependencies : [['version'], ...dependencies]
}

function edit(text: string, paths: readonly JSONPath[], value: string): string {
  return paths.reduce((edited, path) => applyEdits(edited, modify(edited, path, value, {})), text)
}
