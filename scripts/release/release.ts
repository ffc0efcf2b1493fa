import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ACCEPTED_HEADER } from '../breaking/accepted.ts'
import { ACCEPTED, BASELINE, DOCUMENT, readJson } from '../breaking/files.ts'
import { runGate, versionOf, type GateResult } from '../breaking/gate.ts'
import { releaseChangelog } from './changelog.ts'
import { explainUnverified } from '../verify/record.ts'
import { developmentAfter, lowestLevel, LEVELS, nextVersion, type Level } from './version.ts'
import {
  moveArchives,
  moveDocument,
  moveLinked,
  moveLock,
  movePackage,
  workspacesIn,
  type Lock,
  type Move,
  type Package,
} from './versions.ts'

const DATABASE_BASELINE = 'prisma/released/schema.json'
/** Pages with the names of packed archives */
const PAGES = ['README.md', 'sdk/README.md', 'docs/deploy.md']
/** The lock file of an application outside of the workspaces */
const EXAMPLE_LOCKS = ['examples/react/package-lock.json']

/** A reason not to release, for people */
export class ReleaseRefused extends Error {}

export type Project = Readonly<{
  root: string
  today: Date
  /** Runs git in the project, and returns its output. */
  git(...args: string[]): Promise<string>
  /** Regenerates generated/. */
  generate(): Promise<void>
  /** Writes the baseline of the database in prisma/released: the tables and statements that the next version must support. */
  recordDatabase(): Promise<void>
}>

export type Released = Readonly<{ version: string; files: string[] }>

type Read = (path: string) => Promise<string>

/**
 * Releases a version: moves all versions, the baseline and the changelog, and commits them. A second commit begins the next
 * version as a pre-release. A dry run changes nothing.
 */
export async function release(project: Project, level: Level, isDryRun: boolean): Promise<Released> {
  const { root, today, git, recordDatabase } = project
  const status = await git('status', '--porcelain')
  if (status !== '') throw new ReleaseRefused(`Commit or remove these changes first:\n${status}`)
  const gate = await runGate(root, today)
  if (!gate.passes) throw new ReleaseRefused(gate.report)

  const read: Read = (path) => readFile(join(root, path), 'utf8')
  const { version: from = '' } = JSON.parse(await read('package.json')) as Package
  const released = await readJson(join(root, BASELINE))
  const last = released ? versionOf(released) : from
  refuseLowLevel(last, level, gate)
  const version = nextVersion(last, level)
  const files = new Map([
    ...(await movedFiles(read, { from, to: version })),
    ['CHANGELOG.md', releaseChangelog(await read('CHANGELOG.md'), version, today.toISOString().slice(0, 10))],
    [ACCEPTED, `${ACCEPTED_HEADER}[]\n`],
  ])
  const paths = [...files.keys(), BASELINE, DATABASE_BASELINE]
  if (isDryRun) return { version, files: paths }
  const unverified = await explainUnverified(root)
  if (unverified !== undefined) throw new ReleaseRefused(unverified)

  await writeFiles(project, files)
  await writeFile(join(root, BASELINE), `${JSON.stringify(JSON.parse(await read(DOCUMENT)))}\n`)
  await recordDatabase()
  await commit(project, `chore: release ${version}`)
  const next = developmentAfter(version)
  await writeFiles(project, await movedFiles(read, { from: version, to: next }))
  await commit(project, `chore: begin ${next}`)
  return { version, files: paths }
}

async function writeFiles({ root, generate }: Project, files: Map<string, string>): Promise<void> {
  for (const [path, text] of files) await writeFile(join(root, path), text)
  await generate()
}

async function commit({ git }: Project, message: string): Promise<void> {
  await git('add', '--all')
  await git('commit', '--quiet', '--message', message)
}

function refuseLowLevel(version: string, level: Level, gate: GateResult): void {
  const lowest = lowestLevel(version, gate)
  if (LEVELS.indexOf(level) >= LEVELS.indexOf(lowest)) return
  const reason = gate.hasAcceptedBreaks ? 'There are accepted breaking changes' : 'The document has additions'
  throw new ReleaseRefused(`${reason} since ${version}: release a ${lowest} version.`)
}

/** Returns the files that state the version, with another one. */
async function movedFiles(read: Read, move: Move): Promise<Map<string, string>> {
  const lock = await read('package-lock.json')
  const workspaces = workspacesIn(JSON.parse(lock) as Lock)
  const names = [...workspaces.keys()]
  const files = new Map([
    ['openapi/openapi.yaml', moveDocument(await read('openapi/openapi.yaml'), move)],
    ['package-lock.json', moveLock(lock, move)],
  ])
  for (const folder of ['', ...workspaces.values()]) {
    const path = join(folder, 'package.json')
    files.set(path, movePackage(await read(path), move, names))
  }
  for (const path of PAGES) {
    const page = await read(path)
    const moved = moveArchives(page, move)
    if (moved !== page) files.set(path, moved)
  }
  for (const path of EXAMPLE_LOCKS) files.set(path, moveLinked(await read(path), move))
  return files
}
