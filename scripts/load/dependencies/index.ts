// The dependencies of the service, each of which can fail and be repaired.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { at127, freePort, startPart } from '../parts.ts'
import type { Session } from '../session.ts'
import { restartable, type Dependency, type Fault } from './dependency.ts'
import { openPostgres } from './postgres.ts'
import { openRedis } from './redis.ts'

type Kind = 'files' | 'mail' | 'sms'

const OPENERS = {
  postgres: (folder: string) => openPostgres(join(folder, 'postgres')),
  redis: openRedis,
  files: (folder: string) => openStandIn('files', folder),
  mail: (folder: string) => openStandIn('mail', folder),
  sms: (folder: string) => openStandIn('sms', folder),
}

export type DependencyName = keyof typeof OPENERS
export const DEPENDENCY_NAMES = Object.keys(OPENERS) as DependencyName[]

/** Starts dependencies, with their data below the folder of the session. They end with it. */
export async function openDependencies<Name extends DependencyName>(
  { folder, onEnd }: Session,
  names: readonly Name[],
): Promise<Record<Name, Dependency>> {
  const opened: [Name, Dependency][] = []
  for (const name of names) {
    const dependency = await OPENERS[name](folder)
    onEnd(() => dependency.stop())
    opened.push([name, dependency])
  }
  return Object.fromEntries(opened) as Record<Name, Dependency> // which has all names
}

const STAND_IN = fileURLToPath(new URL('stand-in.js', import.meta.url))

const STAND_INS: Readonly<Record<Kind, { name: string; variables(port: number): Dependency['variables'] }>> = {
  files: {
    name: 'File store',
    variables: (port) => ({
      S3_BUCKET: 'files',
      S3_ENDPOINT: at127(port),
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      S3_FORCE_PATH_STYLE: 'true',
    }),
  },
  mail: {
    name: 'Mail server',
    variables: (port) => ({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Tawthiq <no-reply@example.org>' }),
  },
  sms: { name: 'SMS provider', variables: (port) => ({ SMS_WEBHOOK_URL: `${at127(port)}/webhook` }) },
}

async function openStandIn(kind: Kind, folder: string): Promise<Dependency> {
  const own = join(folder, kind)
  mkdirSync(own)
  const port = await freePort()
  const program = await restartable(() => startPart(process.execPath, [STAND_IN, kind, String(port), own], port))
  const mode = join(own, 'mode')
  const refusing = (text: string): Fault => ({ apply: () => writeFileSync(mode, text), repair: () => rmSync(mode) })
  const readOnly = kind === 'files' && { 'read-only': refusing('read-only') }
  const faults = { ...program.faults, ...readOnly, full: refusing('full'), denied: refusing('denied') }
  const { name, variables } = STAND_INS[kind]
  return { name, variables: variables(port), faults, stop: program.stop }
}
