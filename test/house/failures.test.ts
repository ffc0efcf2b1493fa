// The check of `npm run types` that follows calls to failures, with one source for each way that a call can take.
import t from 'tap'
import ts from 'typescript'
import { follow, type Reach } from '../../scripts/types/failures.ts'
import { openNames } from '../../scripts/types/names.ts'

const FAILURE = `
  export class Failure { constructor(readonly code: 'a' | 'b' | 'c' | 'd') {} }
  export const fail = (code: 'a' | 'b') => new Failure(code)`
const IMPORT = `import { Failure, fail } from './failure.ts';`

/** Follows the constant \`start\` of a source. */
function followSource(source: string): Reach & { unimplemented: string[] } {
  const texts: Record<string, string> = { '/src/failure.ts': FAILURE, '/src/source.ts': `${IMPORT}\n${source}` }
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name, version) => ts.createSourceFile(name, texts[name] ?? '', version, true),
    fileExists: (name) => name in texts,
    readFile: (name) => texts[name],
    directoryExists: () => true,
    getCurrentDirectory: () => '/src',
  }
  const options = { noLib: true, types: [], strict: true, allowImportingTsExtensions: true, noEmit: true }
  const program = ts.createProgram(['/src/source.ts'], options, host)
  const names = openNames(program, '/src')
  const variables = program.getSourceFile('/src/source.ts')?.statements.filter(ts.isVariableStatement) ?? []
  const start = variables.flatMap(({ declarationList }) => [...declarationList.declarations])
  const found = start.find(({ name }) => name.getText() === 'start')?.initializer
  if (!found) throw new Error('the source has no start')
  const reach = follow(found, names)
  return { ...reach, unimplemented: [...names.unimplemented].map((node) => node.getText()) }
}

/** The sources by the way to the failure, with the codes that `start` throws */
const WAYS: Readonly<Record<string, readonly [source: string, ...codes: string[]]>> = {
  itself: [`const start = () => { throw new Failure('a') }`, 'a'],
  'a function': [`function other() { throw new Failure('a') } const start = () => other()`, 'a'],
  'a variable code': [`const start = (code: 'a' | 'b') => { throw new Failure(code) }`, 'a', 'b'],
  'a function that returns the failure': [`const start = () => { throw fail('a') }`, 'a', 'b'],
  'a function that is passed on': [
    `const other = () => { throw new Failure('c') }; declare const run: (work: () => void) => void
     const start = () => run(other)`,
    'c',
  ],
  'a function of a caller': [
    `function run(work: () => void) { work() } const start = () => run(() => { throw new Failure('c') })
     const another = () => run(() => { throw new Failure('d') })`,
    'c',
  ],
  'a method of a port': [
    `type Port = { end(): void; other(): void }
     const open = (): Port => ({ end() { throw new Failure('a') }, other() { throw new Failure('b') } })
     const start = (port: Port) => port.end()`,
    'a',
  ],
  'a spread implementation': [
    `type Part = { end(): void }; type Port = Part & { other(): void }
     const part = (): Part => ({ end: () => { throw new Failure('a') } })
     const open = (): Port => ({ ...part(), other: () => undefined })
     const start = ({ end }: Port) => end()`,
    'a',
  ],
  'a dependency of a part': [
    `type Port = { end(): void }
     const open = ({ lock }: { lock: () => void }): Port => ({ end: () => lock() })
     const lock = () => { throw new Failure('a') }
     const opened = open({ lock }); const start = (port: Port) => port.end()`,
    'a',
  ],
  'a table of functions': [
    `const TABLE = { x: () => { throw new Failure('a') } }; const start = (key: 'x') => TABLE[key]()`,
    'a',
  ],
  'work after the response': [
    `declare const background: { enqueue(work: () => void): void }
     const start = () => background.enqueue(() => { throw new Failure('a') })`,
  ],
}

for (const [way, [source, ...codes]] of Object.entries(WAYS)) {
  void t.test(`follows ${way}`, (t) => {
    t.same([...followSource(source).thrown.keys()].sort(), codes)
    t.end()
  })
}

void t.test('returns the shortest way, settings, and what it cannot follow', (t) => {
  const { thrown, settings, unimplemented } = followSource(`
    type Port = { end(): void }
    const two = () => { throw new Failure('a') }; const one = () => two()
    const start = (port: Port) => { one(); two(); port.end(); return { isAtomic: false } }`)
  t.same(
    thrown.get('a')?.trail.map((node) => node.getText()),
    ['two'],
  )
  t.same([...settings], ['isAtomic: false'])
  t.same(unimplemented, ['end(): void'])
  t.end()
})
