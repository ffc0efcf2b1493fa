import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a run starts, in a directory of its own */
export type Session = Readonly<{
  folder: string
  /** Stops a part when the run ends. The last one is stopped first. */
  onEnd(stop: () => Promise<unknown>): void
}>

/** Runs a measurement, stops what it has started, and ends the process. The exit code is 1 if the run returns false. */
export async function runSession(name: string, run: (session: Session) => Promise<boolean>): Promise<never> {
  const folder = mkdtempSync(join(tmpdir(), `tawthiq-${name}-`))
  chmodSync(folder, 0o755) // the user of PostgreSQL reaches its folder through it
  const stops: (() => Promise<unknown>)[] = []
  try {
    process.exitCode = (await run({ folder, onEnd: (stop) => void stops.push(stop) })) ? 0 : 1
  } finally {
    for (const stop of stops.reverse()) await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return process.exit()
}
