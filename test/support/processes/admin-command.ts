// Runs `npm run admin` like an operator.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { runHere, type Ended } from './command.ts'

const MAIN = new URL('../../../src/cli/admin/main.js', import.meta.url)
export const ADMIN = new URL('../../../service/admin.js', import.meta.url).pathname

export type Run = (...parameters: string[]) => Promise<Ended>

/** Returns a function that runs commands in this process. */
export function adminIn(environment: Record<string, string>): Run {
  return (...parameters) => runHere(MAIN, environment, parameters)
}

/** Runs a command in a process of its own. */
export async function spawnAdmin(environment: Record<string, string>, ...parameters: string[]): Promise<Ended> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [ADMIN, ...parameters], { cwd: tmpdir(), env: { PATH, ...environment } })
  let said = ''
  let complained = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (complained += bytes.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said: said.trim(), complained: complained.trim() }
}
