// Runs commands in this process, where their modules are already loaded. Tests of signals, kills and parallel commands,
// and at least one test per command, use a separate process.
import { tmpdir } from 'node:os'

export type Ended = { code: number | null; said: string; complained: string }

type Captured = { text(): string; end(): unknown }

let runs = 0
let last: Promise<unknown> = Promise.resolve()

/** Runs the main module of a command, after the commands that are already running. */
export function runHere(main: URL, environment: Record<string, string>, parameters: readonly string[]): Promise<Ended> {
  const ended = last.then(() => runAlone(main, environment, parameters))
  last = ended.catch(() => undefined)
  return ended
}

async function runAlone(main: URL, environment: Record<string, string>, parameters: readonly string[]): Promise<Ended> {
  const before = { argv: process.argv, env: process.env, directory: process.cwd(), exitCode: process.exitCode }
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((name) => [name, process.listeners(name)] as const)
  const said = captureLog()
  const complained = captureErrors()
  try {
    process.argv = [process.execPath, main.pathname, ...parameters]
    process.env = { PATH: before.env['PATH'], NODE_ENV: 'development', ...environment }
    process.chdir(tmpdir())
    process.exitCode = undefined
    await import(`${main.href}?run=${++runs}`)
    return { code: exitCode(), said: said.text().trim(), complained: complained.text().trim() }
  } finally {
    process.argv = before.argv
    process.env = before.env
    process.chdir(before.directory)
    process.exitCode = before.exitCode
    said.end()
    complained.end()
    for (const [name, earlier] of listeners) {
      for (const listener of process.listeners(name)) if (!earlier.includes(listener)) process.off(name, listener)
    }
  }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0)
}

/** Captures what is printed through the console; tests print to standard output as well. */
function captureLog(): Captured {
  const { log } = globalThis.console
  let text = ''
  const capture = (line: string): void => {
    text += `${line}\n`
  }
  Object.assign(globalThis.console, { log: capture })
  return { text: () => text, end: () => Object.assign(globalThis.console, { log }) }
}

/** Takes what is written to standard error. */
function captureErrors(): Captured {
  const { write } = process.stderr
  let text = ''
  process.stderr.write = (chunk: Uint8Array | string): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    return true
  }
  return { text: () => text, end: () => (process.stderr.write = write) }
}
