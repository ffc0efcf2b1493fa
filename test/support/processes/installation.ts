// A database and a data directory for the commands of the service.
import type { Test } from 'tap'
import { withoutPooler } from '../../../src/database/connection/index.ts'
import { databasePath } from '../../../src/database/embedded/index.ts'
import type { DatabaseTarget } from '../../../src/database/index.ts'
import { ownDatabase, serverTarget } from '../service/databases.ts'
import { pooledDirectory } from '../service/embedded-databases.ts'
import { temporaryFolder } from './process.ts'

export type Installation = {
  target: DatabaseTarget
  /** The URL of the server without a pooler, as a user who may change tables; undefined for an embedded database */
  directUrl: string | undefined
  /** The variables of a service on the database */
  environment: Readonly<Record<string, string>> & { readonly DATA_DIR: string }
}

/** Opens an installation for services and commands in the process of the test. */
export async function openInstallation(t: Test): Promise<Installation> {
  return newInstallation(t, () => pooledDirectory(t))
}

/** Opens an installation for separate processes as well, in which each opening of an embedded database starts one. */
export async function openProcessInstallation(t: Test): Promise<Installation> {
  return newInstallation(t, newFolder)
}

function newFolder(): string {
  const directory = temporaryFolder()
  databasePath(directory) // commands require that the database exists
  return directory
}

async function newInstallation(t: Test, embeddedFolder: () => string | Promise<string>): Promise<Installation> {
  const { url, directUrl, drop, environment } = await ownDatabase()
  t.teardown(() => drop())
  const directory = await (url === undefined ? embeddedFolder() : temporaryFolder())
  const target = url === undefined ? { directory } : withoutPooler(serverTarget(url, 2)) // as commands do
  return { target, directUrl, environment: { DATA_DIR: directory, ...environment } }
}
