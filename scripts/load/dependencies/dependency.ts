import type { Part } from '../parts.ts'
import type { Variables } from '../service.ts'
import { killAll, signalAll } from './processes.ts'

export type FaultName = 'killed' | 'frozen' | 'read-only' | 'full'

/** What a fault does, and what repairs it */
export type Fault = { apply(): unknown; repair(): unknown }

export type Dependency = {
  name: string
  /** The variables of the service that name it */
  variables: Variables
  faults: Partial<Record<FaultName, Fault>>
  stop(): Promise<void>
}

type Program = { faults: Record<'killed' | 'frozen', Fault>; stop(): Promise<void> }

/** Starts a program that can be killed and started again, and frozen, with its children. */
export async function restartable(start: () => Promise<Part>): Promise<Program> {
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
