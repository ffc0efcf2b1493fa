import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a run starts, in a directory of its own */
export type Session = Readonly<{
  folder: string
  /** Stops a part when the run ends. The last one is stopped first. */
  onEnd(stop: () => unknown): void
}>

/** Runs a measurement, stops what it has started, and ends the process. The exit code is 1 if the run returns false. */
export async function runSession(name: string, run: (session: Session) => Promise<boolean>): Promise<never> {
  const folder = mkdtempSync(join(tmpdir(), `tawthiq-${name}-`))
  chmodSync(folder, 0o755) // the user of PostgreSQL reaches its folder through it
  const stops: (() => unknown)[] = []
  try {
    process.exitCode = (await run({ folder, onEnd: (stop) => void stops.push(stop) })) ? 0 : 1
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    for (const stop of stops.reverse()) await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return process.exit()
}

/** Returns DATABASE_URL. Ends the process with 2 and one sentence if it or a program is missing. */
export function requireServers(command: string, ...programs: string[]): string {
  const { DATABASE_URL: url } = process.env
  const missing = programs.filter((program) => !isInstalled(program))
  if (url !== undefined && missing.length === 0) return url
  const server = url === undefined ? ['a PostgreSQL server, whose URL is in DATABASE_URL'] : []
  console.error(`${command} needs ${[...missing, ...server].join(' and ')}.`)
  return process.exit(2)
}

export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0
}
