// The dependencies of the service, each of which can fail and be repaired.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startPart } from '../../scale/parts.ts'
import { restartable, type Dependency, type Fault } from './dependency.ts'
import { openPostgres } from './postgres.ts'
import { openRedis } from './redis.ts'

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
