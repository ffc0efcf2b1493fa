// The dependencies of the service, each of which can fail and be repaired.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { at127, freePort, startPart } from '../parts.ts'
import type { Variables } from '../service.ts'
import type { Session } from '../session.ts'
import { restartable, type Dependency, type Fault } from './dependency.ts'
import { openPostgres } from './postgres.ts'
import { openRedis } from './redis.ts'

const OPENERS = {
  postgres: openPostgres,
  redis: openRedis,
  files: standIn('files', 'File store', (port) => ({
    S3_BUCKET: 'files',
    S3_ENDPOINT: at127(port),
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    S3_FORCE_PATH_STYLE: 'true',
  })),
  mail: standIn('mail', 'Mail server', (port) => ({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Tawthiq <no-reply@example.org>',
  })),
  sms: standIn('sms', 'SMS provider', (port) => ({ SMS_WEBHOOK_URL: `${at127(port)}/webhook` })),
}

type DependencyName = keyof typeof OPENERS
export const DEPENDENCY_NAMES = Object.keys(OPENERS) as DependencyName[]

/** Starts dependencies, with their data in directories of the folder of the session. They end with it. */
export async function openDependencies<Name extends DependencyName>(
  { folder, onEnd }: Session,
  names: readonly Name[],
): Promise<Record<Name, Dependency>> {
  const opened: [Name, Dependency][] = []
  for (const name of names) {
    const own = join(folder, name)
    mkdirSync(own)
    const dependency = await OPENERS[name](own)
    onEnd(() => dependency.stop())
    opened.push([name, dependency])
  }
  return Object.fromEntries(opened) as Record<Name, Dependency> // which has all names
}

function standIn(
  kind: 'files' | 'mail' | 'sms',
  name: string,
  variables: (port: number) => Variables,
): (folder: string) => Promise<Dependency> {
  return async (folder) => {
    const port = await freePort()
    const script = fileURLToPath(new URL('stand-in.js', import.meta.url))
    const program = await restartable(() => startPart(process.execPath, [script, kind, String(port), folder], port))
    const mode = join(folder, 'mode')
    const refusing = (text: string): Fault => ({ apply: () => writeFileSync(mode, text), repair: () => rmSync(mode) })
    const readOnly = kind === 'files' && { 'read-only': refusing('read-only') }
    const faults = { ...program.faults, ...readOnly, full: refusing('full'), denied: refusing('denied') }
    return { name, variables: variables(port), faults, stop: program.stop }
  }
}
