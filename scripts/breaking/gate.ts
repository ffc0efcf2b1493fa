import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readAccepted, separate } from './accepted.ts'
import type { Change } from './diff.ts'
import { ACCEPTED, BASELINE, DOCUMENT, readJson } from './files.ts'
import { judge } from './judge.ts'
import { isNode, type Node } from './json.ts'
import { formatReport } from './report.ts'

export type GateResult = Readonly<{
  report: string
  passes: boolean
  /** The changes since the last release; undefined before the first one */
  changes?: Change[]
  /** Whether accepted.yaml accepts a breaking change */
  hasAcceptedBreaks: boolean
}>

/** Compares the document of a project with that of its last release. */
export async function runGate(root: string, today: Date): Promise<GateResult> {
  const current = await readJson(join(root, DOCUMENT))
  if (!current) throw new Error(`${DOCUMENT} is missing. Run npm run generate.`)
  const released = await readJson(join(root, BASELINE))
  if (!released) {
    const report = `There is no released document to compare with: the first release writes ${BASELINE}.`
    return { report, passes: true, hasAcceptedBreaks: false }
  }
  const { breaks, changes } = await judge({ released, current }, today)
  const separated = separate(breaks, readAccepted(await readFile(join(root, ACCEPTED), 'utf8')))
  return {
    report: formatReport({ version: versionOf(released), ...separated }),
    passes: separated.refused.length === 0 && separated.unused.length === 0,
    changes,
    hasAcceptedBreaks: separated.used.length > 0,
  }
}

export function versionOf({ info }: Node): string {
  return isNode(info) ? String(info['version']) : 'the last release'
}
