import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ACCEPTED_HEADER } from '../breaking/accepted.ts'
import { ACCEPTED, BASELINE, DOCUMENT } from '../breaking/files.ts'
import { runGate, type GateResult } from '../breaking/gate.ts'
import { releaseChangelog } from './changelog.ts'
import { explainUnverified } from '../verify/record.ts'
import { draftChangelog } from './draft.ts'
import { lowestLevel, LEVELS, nextVersion, type Level } from './version.ts'
import { moveArchives, moveDocument, moveLock, movePackage, workspacesIn, type Lock, type Package } from './versions.ts'

const DATABASE_BASELINE = 'prisma/released/schema.json'

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

export type Released = Readonly<{ version: string; draft: string; files: string[] }>

/** Releases a version: moves all versions, the baseline and the changelog, and commits them. A dry run changes nothing. */
export async function release(project: Project, level: Level, isDryRun: boolean): Promise<Released> {
  const { root, today, git, generate, recordDatabase } = project
  const status = await git('status', '--porcelain')
  if (status !== '') throw new ReleaseRefused(`Commit or remove these changes first:\n${status}`)
  const gate = await runGate(root, today)
  if (!gate.passes) throw new ReleaseRefused(gate.report)

  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
  const { version: from = '' } = JSON.parse(await read('package.json')) as Package
  refuseLowLevel(from, level, gate)
  const version = nextVersion(from, level)
  const files = await movedFiles(read, { from, to: version }, today)
  const draft = gate.changes ? draftChangelog(gate.changes) : ''
  const paths = [...files.keys(), BASELINE, DATABASE_BASELINE]
  if (isDryRun) return { version, draft, files: paths }
  const unverified = await explainUnverified(root)
  if (unverified !== undefined) throw new ReleaseRefused(unverified)

  for (const [path, text] of files) await writeFile(join(root, path), text)
  await generate()
  await writeFile(join(root, BASELINE), `${JSON.stringify(JSON.parse(await read(DOCUMENT)))}\n`)
  await recordDatabase()
  await git('add', '--all')
  await git('commit', '--quiet', '--message', `chore: release ${version}`)
  return { version, draft, files: paths }
}

function refuseLowLevel(version: string, level: Level, gate: GateResult): void {
  const lowest = lowestLevel(version, gate)
  if (LEVELS.indexOf(level) >= LEVELS.indexOf(lowest)) return
  const reason = gate.hasAcceptedBreaks ? 'There are accepted breaking changes' : 'The document has additions'
  throw new ReleaseRefused(`${reason} since ${version}: release a ${lowest} version.`)
}

async function movedFiles(
  read: (path: string) => Promise<string>,
  move: { from: string; to: string },
  today: Date,
): Promise<Map<string, string>> {
  const lock = await read('package-lock.json')
  const workspaces = workspacesIn(JSON.parse(lock) as Lock)
  const names = [...workspaces.keys()]
  const files = new Map([
    ['openapi/openapi.yaml', moveDocument(await read('openapi/openapi.yaml'), move)],
    ['package-lock.json', moveLock(lock, move)],
    ['CHANGELOG.md', releaseChangelog(await read('CHANGELOG.md'), move.to, today.toISOString().slice(0, 10))],
    [ACCEPTED, `${ACCEPTED_HEADER}[]\n`],
  ])
  for (const folder of ['', ...workspaces.values()]) {
    const path = join(folder, 'package.json')
    files.set(path, movePackage(await read(path), move, names))
    const readme = await read(join(folder, 'README.md')).catch(() => '') // a package may have none
    const moved = moveArchives(readme, move)
    if (moved !== readme) files.set(join(folder, 'README.md'), moved)
  }
  return files
}
