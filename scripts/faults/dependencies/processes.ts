import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 20

/** Sends a signal to a process and its children. Those that have ended are skipped. */
export function signalAll(pid: number, signal: NodeJS.Signals): void {
  for (const each of [pid, ...childrenOf(pid)]) send(each, signal)
}

/** Kills a process and its children, and waits until they have ended. */
export async function killAll(pid: number): Promise<void> {
  const pids = [pid, ...childrenOf(pid)]
  for (const each of pids) send(each, 'SIGKILL')
  while (pids.some(isRunning)) await sleep(LOOK_MS)
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => fieldsOf(each)[1] === String(pid))
}

function isRunning(pid: number): boolean {
  const [state] = fieldsOf(pid)
  return state !== undefined && state !== 'Z'
}

/** Returns the state, the parent and what follows in /proc/pid/stat (proc(5)); nothing if the process has ended. */
function fieldsOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended
  }
}
