// Runs `npm run import` like an operator, and writes the files that it reads.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import { runHere, type Ended } from './command.ts'
import { openInstallation, type Installation } from './installation.ts'
import { NODE_ARGUMENTS, temporaryFolder } from './process.ts'

export const IMPORT = new URL('../../../src/cli/import/main.js', import.meta.url)
const BUNDLED = new URL('../../../service/import.js', import.meta.url)

const POLL_MS = 5

export type Running = { child: ChildProcess; end: Promise<Ended> }

export type Site = {
  /** The environment of the service that uses the database */
  environment: Installation['environment']
  folder: string
  /** Writes a file. Returns its path. */
  file(name: string, text: string): string
  /** Starts the command in a separate process. The installation must be one for processes. */
  begin(...parameters: string[]): Running
  run(...parameters: string[]): Promise<Ended>
  /** Opens the database while no other process uses it, and runs a query. */
  query<Result>(run: (database: Database) => Promise<Result>): Promise<Result>
}

/** Opens a site with a database and a directory for files. */
export async function openSite(t: Test, installation = openInstallation(t)): Promise<Site> {
  const { target, environment } = await installation
  const folder = temporaryFolder()
  return {
    environment,
    folder,
    begin: (...parameters) => runImport(environment, parameters),
    run: (...parameters) => runHere(IMPORT, environment, parameters),
    file(name, text) {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    async query(run) {
      const database = await openDatabase(target)
      return run(database).finally(() => database.close())
    },
  }
}

function runImport(environment: Record<string, string>, parameters: readonly string[]): Running {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, BUNDLED.pathname, ...parameters], {
    cwd: tmpdir(),
    env: { PATH, ...environment },
  })
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  let complained = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (complained += bytes.toString()))
  const end = once(child, 'close').then(([code]) => {
    return { code: code as number | null, said: said.trim(), complained: complained.trim() }
  })
  return { child, end }
}

/** Resolves when a file has a length in bytes, or when the process has ended. */
export async function untilLong(path: string, bytes: number, { child }: Running): Promise<void> {
  while (child.exitCode === null && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes)
    await setTimeout(POLL_MS)
}

/** Returns the lines of a report. */
export function reported(path: string): { line: number; email: string | null; codes: Record<string, string[]> }[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as ReturnType<typeof reported>[number])
}
