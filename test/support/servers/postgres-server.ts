// PostgreSQL servers of their own for tests of a start, of a failover, and of a standby.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '../../../scripts/load/parts.ts'

const INSTALLED = '/usr/lib/postgresql'
const READY = 'ready to accept'

/** The newest installed version; undefined if there is none */
const [version] = listVersions()

/** Set without a server program: a reason to skip tests that need it */
export const skipWithoutPostgres = version === undefined && 'needs the programs of a PostgreSQL server'

export type PostgresServer = Readonly<{
  port: number
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /** Creates a standby that follows this server. */
  openStandby(): Promise<PostgresServer>
}>

/** Creates a server with an empty database, which is not started. */
export async function createPostgresServer(t: Test): Promise<PostgresServer> {
  const data = newDirectory(t)
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  return serverIn(t, data)
}

async function serverIn(t: Test, data: string): Promise<PostgresServer> {
  const port = await freePort()
  return {
    port,
    async start() {
      const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', `port=${port}`]
      const [program = '', ...parameters] = command('postgres', [
        '-D',
        data,
        ...settings.flatMap((each) => ['-c', each]),
      ])
      const server = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'] })
      t.teardown(async () => {
        server.kill('SIGQUIT')
        if (server.exitCode === null) await once(server, 'exit')
      })
      let output = ''
      for await (const bytes of server.stderr) {
        output += String(bytes)
        if (output.includes(READY)) break
      }
      if (!output.includes(READY)) throw new Error(output)
    },
    async openStandby() {
      const copy = newDirectory(t)
      run('pg_basebackup', [
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'postgres',
        '-D',
        copy,
        '-R',
        '-c',
        'fast',
        '-N',
      ])
      const standby = await serverIn(t, copy)
      await standby.start()
      return standby
    },
  }
}

function listVersions(): string[] {
  try {
    return readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a))
  } catch {
    return []
  }
}

/** Returns the command that runs a program of PostgreSQL, which refuses to run as root. */
export function command(name: string, parameters: readonly string[]): string[] {
  const as = isRoot() ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  return [...as, join(INSTALLED, version ?? '', 'bin', name), ...parameters]
}

export function run(name: string, parameters: readonly string[]): void {
  const [program = '', ...rest] = command(name, parameters)
  execFileSync(program, rest, { stdio: 'pipe' })
}

function newDirectory(t: Test): string {
  // The temporary directory of a suite belongs to root alone.
  const directory = mkdtempSync(join(isRoot() ? '/tmp' : tmpdir(), 'tawthiq-postgres-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  giveToPostgres(directory)
  return directory
}

/** Gives a directory to the user that the programs run as. No other user can read it. */
export function giveToPostgres(directory: string): void {
  chmodSync(directory, 0o700)
  if (!isRoot()) return
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']))
  chownSync(directory, id('-u'), id('-g'))
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}
