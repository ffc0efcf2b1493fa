// npm run admin, as an operator runs it.
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'

export const ADMIN = new URL('../../src/admin.js', import.meta.url).pathname

export type Run = (...given: string[]) => { code: number | null; said: string; complained: string }

export function adminIn(environment: Record<string, string>): Run {
  const { PATH = '' } = process.env
  return (...given) => {
    const options = { cwd: tmpdir(), env: { PATH, ...environment }, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, [ADMIN, ...given], options)
    return { code: status, said: stdout.trim(), complained: stderr.trim() }
  }
}
