// A copy of the compiled project whose sources have all mutants, in `.mutants`.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { instrument, type Mutant } from './mutants.ts'

export const COPY = '.mutants'
/** The folders of dist/src that have mutants */
const MUTATED = ['domain', 'operations', 'serializers', 'services', 'store']
/** Results of earlier runs, which are not deleted */
const CACHES = ['coverage.json', 'results.jsonl', 'statements']

export function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => join(folder, path))
}

export function listSources(): string[] {
  return MUTATED.flatMap((folder) => filesIn(join('dist/src', folder), '.js'))
}

/** Creates the copy, and returns all mutants. */
export function makeCopy(): Mutant[] {
  mkdirSync(join(COPY, 'statements'), { recursive: true })
  for (const name of readdirSync(COPY)) if (!CACHES.includes(name)) rmSync(join(COPY, name), { recursive: true })
  for (const name of readdirSync('.')) {
    if (name !== 'dist' && !name.startsWith('.')) symlinkSync(resolve(name), join(COPY, name))
  }
  cpSync('dist', join(COPY, 'dist'), { recursive: true })
  const switchFile = join(COPY, 'switch.mjs')
  cpSync('scripts/mutate/switch.mjs', switchFile)
  const switchUrl = pathToFileURL(switchFile).href
  return listSources().flatMap((path) => {
    const { mutants, text } = instrument(path, readFileSync(path, 'utf8'), switchUrl)
    writeFileSync(join(COPY, path), text)
    return mutants
  })
}

let runs = 0

/** Writes a module that activates a mutant and then runs `modules`. Returns its path. */
export function writeRun(mutantId: string, modules: readonly string[]): string {
  const number = ++runs
  const path = join(COPY, 'dist/test', `run-${number}.mjs`)
  // The query makes the process evaluate a test file that it has run before.
  const urls = modules.map((each) => {
    const { href } = pathToFileURL(join(COPY, each))
    return basename(each).includes('.test.') ? `${href}?run=${number}` : href
  })
  const imports = urls.map((url) => `await import(${JSON.stringify(url)})`)
  const lines = [`import { activate } from '../../switch.mjs'`, `activate(${JSON.stringify(mutantId)})`, ...imports]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** Returns the texts of all statements that were recorded, by the ids that `readSeen` returns for them. */
export function readStatements(): Map<string, string> {
  const names = readdirSync(join(COPY, 'statements')).map((name) => `statements/${name}`)
  return new Map(names.map((name) => [name, readFileSync(join(COPY, name), 'utf8')]))
}

/** Returns the ids of the mutants and statements that a process has evaluated since it activated `record`. */
export function readSeen(pid: number): string[] {
  return readFileSync(join(COPY, 'state', `seen-${pid}`), 'utf8')
    .split('\n')
    .filter(Boolean)
}
