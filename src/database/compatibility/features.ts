// Features that earlier versions cannot honour. They are disabled after an upgrade, so that the earlier version can be
// started again. An operator enables them when no earlier version runs, which ends the way back.
import type { ClientBase } from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { isBefore, readVersion } from '../../lib/version.ts'
import { transact } from '../transaction.ts'

type Client = Pick<ClientBase, 'query'>

export type Feature = Readonly<{
  /** The first version that honours it */
  since: string
  /** What it does, for operators */
  about: string
}>
export type Features = Readonly<Record<string, Feature>>

/** The features of this version that are enabled by a command, by name: lower case, words separated by hyphens */
export const FEATURES: Features = {
  'second-factors': {
    since: '0.3.0',
    about: 'Users can add authenticator apps. An earlier version would log them in without a code.',
  },
}

export type EnabledFeature = Readonly<{ name: string; leastVersion: string; enabledAt: Date }>

/**
 * Returns the version for comparisons with the least version of a feature. Before its release, a version with a new
 * feature has the number of that release.
 */
export function currentVersion(features = FEATURES): string {
  const version = readVersion()
  const newest = Object.values(features).reduce((last, { since }) => (isBefore(last, since) ? since : last), version)
  return newest === version ? version : `${newest}-dev`
}

/** Reads the enabled features. A database of an earlier version has none. */
export async function readEnabledFeatures(client: Client): Promise<EnabledFeature[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('enabled_features') IS NOT NULL AS exists`,
  )
  if (!found[0]?.exists) return []
  const { rows } = await client.query<EnabledFeature>(
    `SELECT name, least_version AS "leastVersion", enabled_at AS "enabledAt" FROM enabled_features ORDER BY name`,
  )
  return rows
}

/** Enables all features of a new database, which no earlier version has used. */
export async function enableAllFeatures(client: Client): Promise<void> {
  for (const [name, { since: leastVersion }] of Object.entries(FEATURES)) await store(client, { name, leastVersion })
}

async function store(client: Client, { name, leastVersion }: Omit<EnabledFeature, 'enabledAt'>): Promise<void> {
  await client.query(
    'INSERT INTO enabled_features (name, least_version) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    [name, leastVersion],
  )
}

/** Stores that a feature is enabled, unless `check` throws. */
export async function enableFeature(
  client: Client,
  feature: Omit<EnabledFeature, 'enabledAt'>,
  check: () => Promise<void>,
): Promise<void> {
  await transact(client, async () => {
    await store(client, feature)
    await check()
  })
}

/**
 * Rejects a database with an enabled feature that this version does not have.
 *
 * @throws StartupError
 */
export async function requireKnownFeatures(client: Client, features = FEATURES): Promise<void> {
  const version = currentVersion(features)
  const unknown = (await readEnabledFeatures(client)).find(
    ({ name, leastVersion }) => !Object.hasOwn(features, name) || isBefore(version, leastVersion),
  )
  if (!unknown) return
  throw new StartupError(
    `The database needs version ${unknown.leastVersion} or later: the feature ${unknown.name} is enabled, and version ${version} cannot honour it. Start version ${unknown.leastVersion} or later.`,
  )
}
