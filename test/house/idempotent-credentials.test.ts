// Every operation with an Idempotency-Key whose body has a credential counts other bodies as wrong credentials.
import { readFileSync } from 'node:fs'
import t from 'tap'

type Node = Readonly<Record<string, unknown>>

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Node>>
}

/** The fields of bodies that are credentials, besides those with the format `password` */
const CODES = new Set(['otp', 'code', 'token', 'refresh_token'])

/** Returns whether a schema, or one that it refers to, has a credential. */
function hasCredential(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  const { $ref, format, properties, examples: _, ...others } = node as Node
  if (format === 'password') return true
  if (Object.keys(properties ?? {}).some((name) => CODES.has(name))) return true
  return [resolve($ref), ...Object.values({ ...others, ...(properties as Node) })].some(hasCredential)
}

function resolve(reference: unknown): unknown {
  if (typeof reference !== 'string') return undefined
  const path = reference.slice('#/'.length).split('/')
  return path.reduce<unknown>((node, name) => (node as Node)[name], document)
}

function hasKey(parameters: readonly unknown[] = []): boolean {
  return parameters.some((each) => ((resolve((each as Node)['$ref']) ?? each) as Node)['name'] === 'Idempotency-Key')
}

void t.test('counts guesses in every operation whose repeated body has a credential', (t) => {
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path).filter(({ parameters }) => hasKey(parameters as unknown[] | undefined)),
  )
  t.ok(operations.length >= 6)
  const guessable = operations.filter(({ requestBody }) => hasCredential(requestBody))
  t.same(
    guessable.map(({ operationId }) => operationId),
    ['register'],
    'add countGuess to runOnce of a new one',
  )
  t.match(readFileSync('src/operations/auth/register.ts', 'utf8'), /countGuess\(isWrong\)/)
  t.end()
})
