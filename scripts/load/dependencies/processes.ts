import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, isRunning } from '../parts.ts'

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

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended
  }
}
