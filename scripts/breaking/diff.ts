// Every change between two documents, as `redocly diff` finds and rates them.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isNode, type Node } from './json.ts'
import type { Documents } from './operations.ts'

export type Change = Readonly<{
  /** Where clients meet the change first, as a path through references */
  path: string
  /** The kind of the part, for example `Operation` or `Schema` */
  typeName: string
  kind: 'added' | 'removed' | 'modified'
  impact: 'major' | 'minor' | 'patch'
  verdicts: readonly Readonly<{ ruleId: string; impact: string; message: string; location: { pointer: string } }>[]
  base?: { pointer: string; value?: unknown }
  revision?: { pointer: string; value?: unknown }
}>

const COMMAND = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}
/** Codes can be added to these. A removed one is found by response, see error-codes.ts. */
const CODES = ['ErrorCode', 'FieldCode']

export async function listChanges({ released, current }: Documents): Promise<Change[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tawthiq-breaking-'))
  const [base, revision, report] = ['released', 'current', 'report'].map((name) => join(folder, `${name}.json`)) as [
    string,
    string,
    string,
  ]
  try {
    await writeFile(base, JSON.stringify(withoutCodes(released)))
    await writeFile(revision, JSON.stringify(withoutCodes(current)))
    const args = [COMMAND, 'diff', base, revision, '--format', 'json', '--output', report, '--fail-on', 'none']
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...QUIET } })
    return (JSON.parse(await readFile(report, 'utf8')) as { changes: Change[] }).changes
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function withoutCodes(document: Node): Node {
  return JSON.parse(JSON.stringify(document), function (this: unknown, key: string, value: unknown) {
    if (!isNode(value)) return value
    const isCode = CODES.includes(key) || CODES.some((name) => value['$ref'] === `#/components/schemas/${name}`)
    if (!isCode || !Array.isArray(value['enum'])) return value
    const { enum: _, ...open } = value
    return open
  }) as Node
}
