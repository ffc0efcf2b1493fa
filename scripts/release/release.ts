import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ACCEPTED, BASELINE, DOCUMENT, readJson } from '../breaking/json.ts'
import { ACCEPTED_HEADER, runGate, versionOf, type GateResult } from '../breaking/gate.ts'
import { explainUnverified } from '../verify/record.ts'
import { LEVELS, movedFiles, nextVersion, releaseChangelog, type Level, type Read } from './versions.ts'

const DATABASE_BASELINE = 'prisma/released/schema.json'

/** A reason not to release, for people */
export class ReleaseRefused extends Error {}

export type Project = Readonly<{
  root: string
  today: Date
  git(...args: string[]): Promise<string>
  generate(): Promise<void>
  /** Writes the baseline of the database in prisma/released: the tables and statements that the next version must support. */
  recordDatabase(): Promise<void>
}>

export type Released = Readonly<{ version: string; files: string[] }>

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
  const { version: from = '' } = JSON.parse(await read('package.json')) as { version?: string }
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
  const next = `${nextVersion(version, 'minor')}-dev` // a pre-release of the next minor version
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

/** Semantic versioning permits a minor version to break before 1.0.0. */
function refuseLowLevel(version: string, level: Level, { changes = [], hasAcceptedBreaks }: GateResult): void {
  const additions = changes.some(({ impact }) => impact === 'minor') ? 'minor' : 'patch'
  const breaks = version.startsWith('0.') ? 'minor' : 'major'
  const lowest = hasAcceptedBreaks ? breaks : additions
  if (LEVELS.indexOf(level) >= LEVELS.indexOf(lowest)) return
  const reason = hasAcceptedBreaks ? 'There are accepted breaking changes' : 'The document has additions'
  throw new ReleaseRefused(`${reason} since ${version}: release a ${lowest} version.`)
}
