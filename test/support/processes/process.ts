// Starts the service in a separate process.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'

const MAIN = new URL('../../../service/main.js', import.meta.url)
const START_MS_MAX = 60_000
/** Saves a quarter of the CPU time of a start: PostgreSQL's WebAssembly is compiled, but not optimized. */
export const NODE_ARGUMENTS: readonly string[] = ['--liftoff-only']

export type Started = { origin: string; output(): string; kill(signal: NodeJS.Signals): Promise<number | null> }

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the service. Resolves when it listens. */
export async function start(environment: Record<string, string>): Promise<Started> {
  const { child, output } = run(environment)
  const origin = await new Promise<string>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`the service does not listen: ${output()}`)), START_MS_MAX)
    child.stdout?.on('data', () => {
      const port = /Listening +http:\S+:(\d+)|"port":(\d+),"msg":"listening"/.exec(output())?.slice(1).find(Boolean)
      if (port === undefined) return
      clearTimeout(deadline)
      resolve(`http://127.0.0.1:${port}`)
    })
    child.on('exit', (code) => reject(new Error(`the service ended with ${String(code)}: ${output()}`)))
  })
  t.teardown(() => child.kill('SIGKILL'))
  return {
    origin,
    output,
    async kill(signal) {
      const exit = once(child, 'exit')
      child.kill(signal)
      return ((await exit) as [number | null])[0]
    },
  }
}

/** Starts the service and expects it to fail. Returns its exit code, output and run time. */
export async function startExpectingFailure(
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string; ms: number }> {
  const startMs = Date.now()
  const { child, output } = run(environment)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: output(), ms: Date.now() - startMs }
}

function run(environment: Record<string, string>): { child: ChildProcess; output: () => string } {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, MAIN.pathname], {
    cwd: tmpdir(),
    env: { PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
  return { child, output: () => text }
}
