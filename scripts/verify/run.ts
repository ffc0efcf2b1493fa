import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import type { Part } from './parts.ts'
import { FOLDER, type Result } from './record.ts'

/** The exit status of parts that need the commit of the last release, which a shallow clone lacks */
const EXIT_MISSING = 3
const COUNTS = /^(\d+) passed, (\d+) failed$/gm
const SHOWN_LINES = 60
/** Parts use servers only where they say so: `DATABASE_URL=$SERVER`. */
const OF_SERVERS = { DATABASE_URL: undefined, REDIS_URL: undefined }
/** The limit of each part, after which it is killed */
const MINUTES_MAX = 30

/** The process groups of the parts that run, which do not outlive this process */
const groups = new Set<number>()
process.on('exit', () => groups.forEach(killGroup))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(2))

/** Runs the command of a part, and prints one line, or what failed. Its output is in .verify/<name>.log. */
export async function runPart({ name, shows }: Part, command: string, variables: NodeJS.ProcessEnv): Promise<Result> {
  const startMs = Date.now()
  mkdirSync(FOLDER, { recursive: true })
  const log = `${FOLDER}/${name}.log`
  const file = openSync(log, 'w')
  const child = spawn('bash', ['-c', command], {
    env: { ...process.env, ...OF_SERVERS, ...variables },
    stdio: ['ignore', file, file],
    detached: true, // a process group of its own, so that all of it can be killed
  })
  const { pid = 0 } = child
  groups.add(pid)
  const limit = AbortSignal.timeout(MINUTES_MAX * 60_000)
  const kill = (): void => killGroup(pid)
  limit.addEventListener('abort', kill)
  const [status] = (await once(child, 'exit')) as [number | null]
  limit.removeEventListener('abort', kill)
  groups.delete(pid)
  closeSync(file)

  const seconds = Math.round((Date.now() - startMs) / 1000)
  const output = readFileSync(log, 'utf8')
  const [, passed = 0, failed = 0] = ([...output.matchAll(COUNTS)].at(-1) ?? []).map(Number)
  if (status === EXIT_MISSING) return skip({ name }, 'this clone lacks the commit of the last release')
  const hasPassed = status === 0 && failed === 0
  console.log(`${hasPassed ? 'ok     ' : 'FAILED '} ${name.padEnd(16)}${String(seconds).padStart(5)} s  ${shows}`)
  if (hasPassed) return { state: 'passed', passed: Math.max(passed, 1), failed: 0, seconds }
  const reason = limit.aborted ? `killed after ${MINUTES_MAX} minutes` : `ended with ${String(status)}`
  const lines = output.split('\n').filter((line) => !line.startsWith('ok ')) // without test files that pass
  console.log(`${lines.slice(-SHOWN_LINES).join('\n')}\n${command}: ${reason}.`)
  return { state: 'failed', passed, failed: Math.max(failed, 1), seconds, reason }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

export function skip({ name }: Pick<Part, 'name'>, reason: string): Result {
  console.log(`skipped ${name.padEnd(16)}         ${reason}`)
  return { state: 'skipped', passed: 0, failed: 0, seconds: 0, reason }
}
