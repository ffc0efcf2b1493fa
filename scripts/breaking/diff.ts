// Every change between two documents, as `redocly diff` finds and rates them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const pathOf = (name: string): string => join(folder, `${name}.json`)
  const [base, revision, report] = [pathOf('released'), pathOf('current'), pathOf('report')]
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
  const inherit = (item: unknown): Node =>
    Object.fromEntries(
      Object.entries(asNode(item)).map(([method, operation]) => {
        const isOperation = METHODS.includes(method) && isNode(operation)
        return [method, isOperation ? { security: document['security'], ...operation } : operation]
      }),
    )
  const paths = Object.entries(asNode(document['paths']))
  return { ...document, paths: Object.fromEntries(paths.map(([path, item]) => [path, inherit(item)])) }
}

/** Drops what other rules compare: enumerations of codes, and the names that objects accept, see closed-objects.ts. */
function prepare(document: Node): Node {
  return JSON.parse(JSON.stringify(withSecurity(document)), function (this: unknown, key: string, value: unknown) {
    if (!isNode(value)) return value
    const isCode = CODES.includes(key) || CODES.some((name) => value['$ref'] === `#/components/schemas/${name}`)
    const isClosed = (name: string): boolean =>
      (name === 'additionalProperties' && value[name] === false) ||
      (name === 'propertyNames' && listNames(value[name]) !== undefined)
    const dropped = (name: string): boolean => (isCode && name === 'enum') || isClosed(name)
    return Object.fromEntries(Object.entries(value).filter(([name]) => !dropped(name)))
  }) as Node
}
