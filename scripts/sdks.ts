// Generates clients from the document, compiles them, and walks them through the requests of an application against a
// running service. Prints the table of docs/sdks.md, and fails if that page has another.
//
//   npm run sdks                 all generators
//   npm run sdks -- --ci         the subset that the CI runs
//   npm run sdks -- orval kubb   only these
//   npm run sdks -- node bun     the SDK in these runtimes
//   npm run sdks -- --write      all generators; writes docs/sdks.md
//   npm run sdks -- --verbose    all generators; prints the problems of those that work too
import { copyFileSync } from 'node:fs'
import { startInstance } from './load/service.ts'
import { runSession, type Session } from './load/session.ts'
import { readOptions } from './options.ts'
import { Unavailable, walkedBy } from './sdks/client.ts'
import type { GeneratedClient, GeneratedOnly, Prepared, Result } from './sdks/client.ts'
import { DOCUMENTS, openFolder, versionOf } from './sdks/folder.ts'
import { GO, JAVA, KOTLIN, PYTHON } from './sdks/languages.ts'
import { GENERATED_ONLY } from './sdks/openapi-generator.ts'
import { SDK_RUNTIMES } from './sdks/runtimes.ts'
import { publishTable, renderTables } from './sdks/table.ts'
import { TYPESCRIPT_CLIENTS } from './sdks/typescript.ts'

const AT_ONCE = 2
/** The collection that Postman makes of the document when it imports it. Its requests are run as Postman runs them. */
const POSTMAN: GeneratedClient = {
  name: 'postman',
  inCi: true,
  async prepare() {
    const cwd = await openFolder('postman')
    copyFileSync('clients/postman/walk.mjs', `${cwd}/walk.mjs`)
    const commandFor = (origin: string): string[] => [process.execPath, 'walk.mjs', DOCUMENTS['3.0'], origin]
    return walkedBy(commandFor, { cwd }, { name: 'Postman', version: versionOf('postman'), document: '3.0' })
  },
}

const OPTIONS = { ci: false, write: false, verbose: false }
const { words: names, ...given } = readOptions('npm run sdks -- [generator …]', OPTIONS)
const clients = [...SDK_RUNTIMES, ...TYPESCRIPT_CLIENTS, GO, JAVA, KOTLIN, PYTHON, POSTMAN, ...GENERATED_ONLY]
const chosen = clients.filter(({ name, inCi }) => (names.length > 0 ? names.includes(name) : inCi || !given.ci))

type Skipped = { skipped: string }

const prepared = new Map<GeneratedClient, Prepared | Skipped>()
const waiting = chosen.values()
await Promise.all(Array.from({ length: AT_ONCE }, () => prepareAll()))

const results: Result[] = []
const generated: GeneratedOnly[] = []
await runSession('sdks', run)

/** Returns whether all clients were generated, and the page has their rows. */
async function run(session: Session): Promise<boolean> {
  const { origin } = await startInstance(session, { variables: {}, isManaged: false })
  for (const client of chosen) await walk(client, origin)
  const isCurrent = await publishTable(renderTables(results, generated), 'sdks', 'npm run sdks', given.write)
  return isCurrent && process.exitCode !== 1
}

async function prepareAll(): Promise<void> {
  for (const client of waiting) {
    const startMs = Date.now()
    const found = await client.prepare().catch((error: unknown): Skipped => {
      if (error instanceof Unavailable) return { skipped: error.message }
      process.exitCode = 1
      return { skipped: `its generation failed: ${String(error)}` }
    })
    prepared.set(client, found)
    console.error(`${client.name}: prepared in ${Math.round((Date.now() - startMs) / 1000)} s`)
  }
}

/** Walks one client at a time, because all of them change the same account. */
async function walk(client: GeneratedClient, origin: string): Promise<void> {
  const found = prepared.get(client)
  if (!found || 'skipped' in found) {
    console.error(`${client.name}: skipped, because ${found?.skipped ?? 'it was not prepared'}`)
    return
  }
  if ('warnings' in found) {
    generated.push(found)
    console.error([`${client.name}: generated, not compiled`, ...found.warnings].join('\n  warning: '))
    return
  }
  const result = await found.walk(origin)
  results.push(result)
  console.error(`${client.name}: ${result.works.join(', ') || 'nothing works'}`)
  if (result.errors > 0 || result.works.length === 0 || given.verbose) console.error(result.problems.slice(0, 4000))
}
