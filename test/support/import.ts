// npm run import, as an operator runs it, and the files that it reads.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { openDatabase, type Database, type Place } from '../../src/store/database.ts'
import { temporaryFolder } from './process.ts'
import { ownDatabase } from './service.ts'

const IMPORT = new URL('../../src/import.js', import.meta.url).pathname

const POLL_MS = 5

export type Ended = { code: number | null; said: string; complained: string }

export type Running = { child: ChildProcess; end: Promise<Ended> }

export type Site = {
  place: Place
  /** The variables of the service that has the database */
  environment: Record<string, string>
  folder: string
  /** Writes a file; gives its path. */
  file(name: string, text: string): string
  begin(...given: string[]): Running
  run(...given: string[]): Promise<Ended>
  /** Asks the database while nobody else has it. */
  ask<Answer>(question: (database: Database) => Promise<Answer>): Promise<Answer>
}

/** A server with a database and a folder for files. */
export async function openSite(): Promise<Site> {
  const { url, drop } = await ownDatabase()
  t.teardown(() => drop())
  const data = temporaryFolder()
  const folder = temporaryFolder()
  const place = url === undefined ? { folder: data } : { url, connectionsMax: 2 }
  const environment = { DATA_DIR: data, ...(url !== undefined && { DATABASE_URL: url }) }
  await (await openDatabase(place)).close()

  const begin: Site['begin'] = (...given) => runImport(environment, given)
  return {
    place,
    environment,
    folder,
    begin,
    run: (...given) => begin(...given).end,
    file(name, text) {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    async ask(question) {
      const database = await openDatabase(place)
      return question(database).finally(() => database.close())
    },
  }
}

export function runImport(environment: Record<string, string>, given: readonly string[]): Running {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [IMPORT, ...given], { cwd: tmpdir(), env: { PATH, ...environment } })
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

/** Resolves when a file is that long, or the process has ended before. */
export async function untilLong(path: string, bytes: number, { child }: Running): Promise<void> {
  while (child.exitCode === null && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes)
    await setTimeout(POLL_MS)
}

/** The lines of a report */
export function reported(path: string): { line: number; email: string | null; codes: Record<string, string[]> }[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as ReturnType<typeof reported>[number])
}
