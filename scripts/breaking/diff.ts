// Every change between two documents, as `redocly diff` finds and rates them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filterMembers, mapMembers, SCHEMAS } from '../generate/document/openapi.ts'
import { mustRun } from '../sdks/command.ts'
import { listNames } from './closed-objects.ts'
import { asNode, isNode, type Node } from './json.ts'
import { METHODS, type Documents } from './operations.ts'

export type Change = Readonly<{
  /** Where clients meet the change first, as a path through references */
  path: string
  kind: 'added' | 'removed' | 'modified'
  /** The keyword that was modified */
  property?: string
  impact: 'major' | 'minor' | 'patch'
  verdicts: readonly Readonly<{ ruleId: string; impact: string; message: string; location: { pointer: string } }>[]
  base?: { pointer: string; value?: unknown }
  revision?: { pointer: string; value?: unknown }
}>

/** The program of Redocly, and the variables that make it quiet */
export const REDOCLY = {
  command: createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js'),
  env: {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  },
}
/** A removed code is found by removed-codes.ts. */
const CODES = ['ErrorCode', 'FieldCode']

export async function listChanges({ released, current }: Documents): Promise<Change[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tawthiq-breaking-'))
  const base = join(folder, 'released.json')
  const revision = join(folder, 'current.json')
  const report = join(folder, 'report.json')
  try {
    await writeFile(base, JSON.stringify(prepare(released)))
    await writeFile(revision, JSON.stringify(prepare(current)))
    const args = [REDOCLY.command, 'diff', base, revision, '--format', 'json', '--output', report, '--fail-on', 'none']
    await mustRun(process.execPath, args, { cwd: '.', env: REDOCLY.env })
    return (JSON.parse(await readFile(report, 'utf8')) as { changes: Change[] }).changes
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the security of the document into the operations that inherit it: the diff compares operations alone. */
function withSecurity(document: Node): Node {
  const { security, paths } = document
  const inherit = (operation: unknown, name: string): unknown =>
    METHODS.includes(name) && isNode(operation) ? { security, ...operation } : operation
  return { ...document, paths: mapMembers(asNode(paths), (item) => mapMembers(asNode(item), inherit)) }
}

/** Drops what other rules compare: enumerations of codes, and the names that objects accept, see closed-objects.ts. */
function prepare(document: Node): Node {
  return JSON.parse(JSON.stringify(withSecurity(document)), function (this: unknown, key: string, value: unknown) {
    if (!isNode(value)) return value
    const isCode = CODES.some((name) => key === name || value['$ref'] === SCHEMAS + name)
    return filterMembers(value, (name, member) => {
      if (name === 'enum') return !isCode
      if (name === 'propertyNames') return listNames(member) === undefined
      return name !== 'additionalProperties' || member !== false
    })
  }) as Node
}
