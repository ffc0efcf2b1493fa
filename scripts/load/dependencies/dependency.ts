import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, isRunning, type Part } from '../parts.ts'
import type { Variables } from '../service.ts'

const LOOK_MS = 20

export type FaultName = 'killed' | 'frozen' | 'read-only' | 'full' | 'denied' | 'slow' | 'half'

/** What a fault does, and what repairs it */
export type Fault = { apply(): unknown; repair(): unknown }

export type Dependency = {
  name: string
  /** The variables of the service that name it */
  variables: Variables
  faults: Readonly<Partial<Record<FaultName, Fault>>>
  stop(): Promise<void>
}

/** Starts a program that can be killed and started again, and frozen, with its children. */
export async function restartable(start: () => Promise<Part>): Promise<Pick<Dependency, 'faults' | 'stop'>> {
  let part = await start()
  return {
    faults: {
      killed: {
        apply: () => killAll(part.pid),
        async repair() {
          part = await start()
        },
      },
      frozen: { apply: () => signalAll(part.pid, 'SIGSTOP'), repair: () => signalAll(part.pid, 'SIGCONT') },
    },
    stop: () => killAll(part.pid),
  }
}

/** Sends a signal to a process and its children, and returns them. Those that have ended are skipped. */
function signalAll(pid: number, signal: NodeJS.Signals): number[] {
  const pids = [pid, ...childrenOf(pid)]
  for (const each of pids) {
    try {
      process.kill(each, signal)
    } catch {
      // it has ended
    }
  }
  return pids
}

/** Kills a process and its children, and waits until they have ended. */
async function killAll(pid: number): Promise<void> {
  const pids = signalAll(pid, 'SIGKILL')
  while (pids.some(isRunning)) await sleep(LOOK_MS)
}
