// Compares the error codes that each operation can throw with those that the document declares for it.
import { relative, resolve } from 'node:path'
import ts from 'typescript'
import { bindings } from '../../generated/operations.ts'
import { follow, type Reach, type Thrown } from './failures.ts'
import { openNames, type Names } from './names.ts'

type OperationId = keyof typeof bindings

/** Codes that a function throws only with a setting, which an operation must contain */
const ONLY_WITH: Readonly<Record<string, string>> = {
  idempotency_outcome_unknown: 'isAtomic: false',
  limits_unavailable: 'failsClosed: true',
}

/** Codes that a function throws only for some operations */
const ONLY_IF: Readonly<Record<string, (id: OperationId) => boolean>> = {
  reauthentication_required: (id) => bindings[id].recentAuthentication !== null,
}

/** Codes that an operation cannot throw although it leads to them, with the reason */
const NEVER: Readonly<Record<string, string>> = {
  'requestFactorReset mfa_code_wrong': 'it takes no code',
  'requestFactorReset mfa_required': 'it takes no code',
  'requestFactorReset factors_unavailable': 'it takes no code',
  'requestAccountDeletion factors_unavailable': 'it takes no code',
  'changePassword factors_unavailable': 'it takes no code',
  'updateProfile factors_unavailable': 'it takes no code',
  'patchProfile factors_unavailable': 'it takes no code',
  'patchProfile storage_unavailable': 'a patch has no new files, and the storage deletes files after the response',
}

/** What cannot be followed, with the reason why it throws nothing else */
const NOT_FOLLOWED: Readonly<Record<string, string>> = {
  'src/contract/operation.ts reply': 'returns its arguments',
  'src/contract/operation.ts applyTo': 'validates against the schema, and throws invalid_data like a form',
  'src/services/idempotency/run-once.ts errorCode': 'the stored outcome of the same operation',
  'src/store/events/outbox.ts onCommit': 'wakes a dispatcher',
  'src/store/events/outbox.ts traceParent': 'reads the current trace',
  'src/store/admin/administration.ts toMails': 'followed at the caller',
  'src/store/profiles/update-profile.ts toDetails': 'followed at the caller',
  'src/store/profiles/update-profile.ts undo': 'makes tokens',
  'src/services/phone/send-code.ts findProof': 'followed at the caller',
}

export function checkErrorCodes(program: ts.Program): ts.Diagnostic[] {
  const names = openNames(program, resolve('src'))
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(resolve('src')))
  const operations = files.flatMap((file) => followOperation(file, names))
  const places = [...names.unimplemented, ...operations.flatMap(({ reach }) => [...reach.anyCode])]
  const shared = sharedCodes(files, names)
  return [
    ...operations.flatMap((operation) => [...undeclared(operation), ...unthrown(operation, shared)]),
    ...places.filter((node) => !(keyOf(node) in NOT_FOLLOWED)).map((node) => diagnostic(node, CANNOT_FOLLOW)),
    ...unusedEntries(operations, places),
  ]
}

const CANNOT_FOLLOW =
  'Which error codes this throws cannot be followed: list it in NOT_FOLLOWED of scripts/types/error-codes.ts'

type Followed = Readonly<{ id: OperationId; at: ts.Node; reach: Reach }>

/** Follows the operation of a file; none if the file has none. */
function followOperation(file: ts.SourceFile, names: Names): Followed[] {
  const id = /\/src\/operations\/\w+\/(\w+)\.ts$/.exec(file.fileName)?.[1] ?? ''
  const variables = file.statements.flatMap((each) =>
    ts.isVariableStatement(each) ? [...each.declarationList.declarations] : [],
  )
  const operation = variables.find(({ name }) => name.getText() === id)?.initializer
  return operation && id in bindings ? [{ id: id as OperationId, at: operation, reach: follow(operation, names) }] : []
}

/** Returns the codes that requests get before and after their operation. */
function sharedCodes(sources: readonly ts.SourceFile[], names: Names): Set<string> {
  const files = sources.filter(({ fileName }) => fileName.includes('/src/http/'))
  const thrown = files.flatMap((file) => [...follow(file, names).thrown.keys()])
  const written = files.flatMap(({ text }) => [...text.matchAll(/'(\w+)'/g)].map(([, word = '']) => word))
  return new Set([...thrown, ...written])
}

function undeclared({ id, at, reach: { thrown, settings } }: Followed): ts.Diagnostic[] {
  const declared = new Set<string>(bindings[id].errors)
  return [...thrown].flatMap(([code, found]) => {
    const setting = ONLY_WITH[code]
    if (declared.has(code) || `${id} ${code}` in NEVER || ONLY_IF[code]?.(id) === false) return []
    if (setting !== undefined && !settings.has(setting)) return []
    return diagnostic(at, `${id} throws '${code}', which the document does not declare for it: ${trailOf(found)}`)
  })
}

function unthrown({ id, at, reach: { thrown } }: Followed, shared: ReadonlySet<string>): ts.Diagnostic[] {
  return bindings[id].errors
    .filter((code) => !thrown.has(code) && !shared.has(code))
    .map((code) => diagnostic(at, `${id} never throws '${code}', which the document declares for it`))
}

function unusedEntries(operations: readonly Followed[], places: readonly ts.Node[]): ts.Diagnostic[] {
  const used = new Set([
    ...places.map(keyOf),
    ...operations.flatMap(({ id, reach }) => [...reach.thrown.keys()].map((code) => `${id} ${code}`)),
  ])
  const unused = [...Object.keys(NEVER), ...Object.keys(NOT_FOLLOWED)].filter((key) => !used.has(key))
  return unused.map((key) => diagnostic(undefined, `scripts/types/error-codes.ts: nothing needs the entry ${key}`))
}

/** Returns the file and the name of a member, or of the variable with a code. */
function keyOf(node: ts.Node): string {
  const name = ts.isPropertySignature(node) || ts.isMethodSignature(node) ? node.name.getText() : node.getText()
  return `${relative('.', node.getSourceFile().fileName)} ${name}`
}

function trailOf({ at, trail }: Thrown): string {
  return [...trail, at].map((node) => `\n    ${node.getText().split('\n')[0] ?? ''} (${placeOf(node)})`).join('')
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile()
  return `${relative('.', file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

function diagnostic(node: ts.Node | undefined, messageText: string): ts.Diagnostic {
  const place = { file: node?.getSourceFile(), start: node?.getStart(), length: node && 1 }
  return { category: ts.DiagnosticCategory.Error, code: 0, ...place, messageText }
}
