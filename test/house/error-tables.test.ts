// The tables of errors in the descriptions of operations.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import { ERROR_STATUS } from '../../generated/errors.ts'

type Operation = { operationId: keyof typeof bindings; description: string; responses: object }
type Document = {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: { FieldCode: { enum: string[] } } }
}

const FILE = new URL('../../../generated/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document
const fieldCodes = new Set(document.components.schemas.FieldCode.enum)
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

/** The errors of the table, such as `422 phone_taken`, in its order. */
function errorsOf({ description }: Operation): { status: number; code: string }[] {
  const [, table = ''] = description.split('| Error | Returned if |')
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => {
    const [errors = ''] = row.split(' | ')
    return [...errors.matchAll(/`(\d{3}) (\w+)`/g)].map(([, status, code = '']) => ({ status: Number(status), code }))
  })
}

void t.test('a table of errors lists errors that the operation declares, in the order of its responses', (t) => {
  const tables = operations.map((operation) => ({ operation, errors: errorsOf(operation) }))
  for (const { operation, errors } of tables) {
    const { operationId } = operation
    const declared: readonly string[] = bindings[operationId].errors
    const statuses = errors.map(({ status }) => status)
    t.same(statuses, statuses.toSorted(), operationId)
    for (const { status, code } of errors) {
      const isDeclared = status === 422 ? fieldCodes.has(code) : declared.includes(code)
      t.ok(isDeclared, `${operationId}: ${status} ${code}`)
      if (status !== 422) t.equal(ERROR_STATUS[code as keyof typeof ERROR_STATUS], status, code)
    }
  }
  t.ok(tables.filter(({ errors }) => errors.length > 0).length > 20)
  t.end()
})

void t.test('every error of an operation is in its table, or in the guide Errors if all operations share it', (t) => {
  const guide = document.tags.find(({ name }) => name === 'Errors')?.description ?? ''
  const shared = new Set([...guide.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code))
  t.ok(shared.has('unexpected') && !shared.has('phone_taken'))
  for (const operation of operations) {
    const listed = new Set(errorsOf(operation).map(({ code }) => code))
    const declared: readonly string[] = bindings[operation.operationId].errors
    const missing = declared.filter((code) => !listed.has(code) && !shared.has(code))
    t.same(missing, [], operation.operationId)
  }
  t.end()
})
