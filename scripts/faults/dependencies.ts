// The dependencies of the service, each of which can fail and be repaired.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startPart, type Part } from '../scale/parts.ts'
import { openPostgres } from './postgres.ts'
import { killAll, signalAll } from './processes.ts'
import { openRedis } from './redis.ts'

export type FaultName = 'killed' | 'frozen' | 'read-only' | 'full'

/** What a fault does, and what repairs it */
export type Fault = { apply(): unknown; repair(): unknown }

export type Dependency = {
  name: string
  port: number
  faults: Partial<Record<FaultName, Fault>>
  stop(): Promise<void>
}

export type Dependencies = { postgres: Dependency & { url: string } } & Record<
  'redis' | 'files' | 'mail' | 'sms',
  Dependency
>

/** Starts all dependencies, with their data below a folder. */
export async function openDependencies(folder: string): Promise<Dependencies> {
  return {
    postgres: await openPostgres(join(folder, 'postgres')),
    redis: await openRedis(),
    files: await openStandIn('files', 'File store', folder),
    mail: await openStandIn('mail', 'Mail server', folder),
    sms: await openStandIn('sms', 'SMS provider', folder),
  }
}

const STAND_IN = fileURLToPath(new URL('stand-in.js', import.meta.url))

async function openStandIn(kind: 'files' | 'mail' | 'sms', name: string, folder: string): Promise<Dependency> {
  const own = join(folder, kind)
  mkdirSync(own)
  const port = await freePort()
  const program = await restartable(() => startPart(process.execPath, [STAND_IN, kind, String(port), own], port))
  const mode = join(own, 'mode')
  const refusing = (text: string): Fault => ({ apply: () => writeFileSync(mode, text), repair: () => rmSync(mode) })
  const readOnly = kind === 'files' && { 'read-only': refusing('read-only') }
  return { name, port, faults: { ...program.faults, ...readOnly, full: refusing('full') }, stop: program.stop }
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
