import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/index.ts'
import { FEATURES, enableFeature, readEnabledFeatures, type Feature } from '../../database/compatibility/features.ts'
import { earlierSessions, type Session } from '../../database/compatibility/versions-in-use.ts'
import type { Database } from '../../database/index.ts'
import { CommandError } from '../program.ts'
import type { Command } from './arguments.ts'

type FeatureCommand = Extract<Command, { name: 'features' | 'enable-feature' }>

/** An instance without requests may have no connection for a while. */
const WATCH_SECONDS = 60
const SHOWN_MAX = 5

type Means = { features: typeof FEATURES; pause: (ms: number) => Promise<unknown> }

/** Lists the features, or enables one if no session of an earlier version is seen for a minute. */
export async function runFeatureCommand(
  command: FeatureCommand,
  { pool }: Pick<Database, 'pool'>,
  installation: Pick<Config, 'databasePooler' | 'databaseUrl'>,
  { features, pause }: Means = { features: FEATURES, pause: sleep },
): Promise<string> {
  const client = await pool.connect()
  try {
    const enabled = new Map((await readEnabledFeatures(client)).map((each) => [each.name, each]))
    if (command.name === 'features') return listFeatures(features, (name) => enabled.get(name)?.enabledAt)
    const { feature: name, isConfirmed } = command
    const feature = Object.hasOwn(features, name) ? features[name] : undefined
    if (!feature) throw new CommandError(`This version has no feature ${name}. ${listNames(features)}`)
    if (enabled.has(name)) return `The feature ${name} is already enabled.`

    if (installation.databasePooler !== undefined && !isConfirmed) throw new CommandError(POOLER)
    const watchMs = installation.databaseUrl === undefined ? 0 : WATCH_SECONDS * 1000 // others cannot open an embedded one
    const earlier = (): Promise<Session[]> => earlierSessions(client, feature.since)
    for (let ms = 0; ms < watchMs; ms += 1000) {
      rejectSessions(await earlier(), feature)
      await pause(1000)
    }
    await enableFeature(client, { name, leastVersion: feature.since }, async () =>
      rejectSessions(await earlier(), feature),
    )
    return `The feature ${name} is enabled. Versions before ${feature.since} do not start any more.`
  } finally {
    client.release()
  }
}

const POOLER =
  'A pooler can hide connections of earlier versions. Check that all instances have been upgraded, and add --yes.'

function rejectSessions(earlier: readonly Session[], { since }: Feature): void {
  if (earlier.length === 0) return
  const shown = earlier
    .slice(0, SHOWN_MAX)
    .map(({ name, address }) => `${name || 'a session without a name'} (${address})`)
  const more = earlier.length > SHOWN_MAX ? ` and ${earlier.length - SHOWN_MAX} more` : ''
  throw new CommandError(
    `Instances before ${since} may be running, and could not honour the feature: ${shown.join(', ')}${more}. Upgrade them, or end these connections, and try again. Nothing was changed.`,
  )
}

function listFeatures(features: typeof FEATURES, enabledAt: (name: string) => Date | undefined): string {
  const lines = Object.entries(features).map(([name, { since, about }]) => {
    const at = enabledAt(name)
    const state = at ? `enabled on ${at.toISOString().slice(0, 10)}` : 'not enabled'
    return `${name}  ${state}, ends a rollback to versions before ${since}. ${about}`
  })
  return lines.length > 0 ? lines.join('\n') : listNames(features)
}

function listNames(features: typeof FEATURES): string {
  const names = Object.keys(features)
  return names.length > 0
    ? `It has: ${names.join(', ')}.`
    : 'All features of this version can be used with the version before.'
}
