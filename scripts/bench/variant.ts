// A version of the service that is measured: as in production, on a database and a Redis of its own.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connectTo, createScratchDatabase, readerOfDatabaseUse } from '../load/database.ts'
import { openDependencies } from '../load/dependencies/index.ts'
import { people } from './growth/fill.ts'
import { cpuMicros, openReceiver, threadMicros } from '../load/parts.ts'
import { newPhoto, newProfile, type Person } from '../load/requests.ts'
import { productionVariables, startInstance } from '../load/service.ts'
import type { Session } from '../load/session.ts'
import { CONNECTIONS } from './wrk.ts'

export type Use = {
  elapsedMicros: number
  /** CPU time of the process, with its threads */
  processMicros: number
  /** CPU time of its main thread, which no hash of a password uses */
  mainMicros: number
  /** CPU time of its connections to PostgreSQL */
  databaseMicros: number
  /** CPU time of both */
  totalMicros: number
  walBytes: number
}

/** Other accounts in the database, and the id of the first one: tables of some pages would have plans of their own. */
const [OTHERS, FIRST] = [20_000, 1000]

export type Group = 'clients' | 'lawyers' | 'admins' | 'visitors'

export type Variant = Readonly<Record<Group, readonly Person[]>> & {
  origin: string
  /** Where the requests to it are written */
  folder: string
  readUse(): Promise<Use>
  /** Adds other accounts, and writes all changed pages, so that plans and writes are the same in each round and version. */
  settle(): Promise<void>
}

/** Accounts of a group, with a token each: more than there are connections, so that two rarely use one at once */
const ACCOUNTS = 4 * CONNECTIONS

/** Starts a version that is built in a directory, with accounts whose profiles are complete. */
export async function startVariant(
  session: Session,
  serverUrl: string,
  { name, directory }: { name: string; directory: string },
): Promise<Variant> {
  const own = { ...session, folder: join(session.folder, name) }
  mkdirSync(own.folder)
  const url = await createScratchDatabase(session, serverUrl)
  const dependencies = await openDependencies(own, ['redis'])
  const variables = {
    ...productionVariables(dependencies),
    DATABASE_URL: url,
    SMS_WEBHOOK_URL: await openReceiver(session), // accepts all numbers, which the simulator does not
    FILES_DIR: join(own.folder, 'files'),
  }
  const { origin, part } = await startInstance(own, { variables, directory })
  const client = await connectTo(session, url)
  const readDatabaseUse = readerOfDatabaseUse(client)
  const groupOf = (create: () => Promise<Person>): Promise<Person[]> =>
    Promise.all(Array.from({ length: ACCOUNTS }, create))
  const { photo } = await newPhoto()
  const files = { national_id_image: photo, degree_certificate: photo }
  const admins = await groupOf(() => newProfile(origin))
  await client.query('UPDATE accounts SET is_admin = true')
  return {
    origin,
    folder: own.folder,
    admins,
    clients: await groupOf(() => newProfile(origin)),
    lawyers: await groupOf(() => newProfile(origin, 'lawyer', files)),
    // They log in, which ends their earlier sessions.
    visitors: await groupOf(() => newProfile(origin)),
    async readUse() {
      const { databaseMicros, walBytes } = await readDatabaseUse()
      const processMicros = cpuMicros(part.pid)
      return {
        elapsedMicros: performance.now() * 1000,
        processMicros,
        mainMicros: threadMicros(part.pid),
        databaseMicros,
        totalMicros: processMicros + databaseMicros,
        walBytes,
      }
    },
    async settle() {
      for (const sql of [...people(FIRST, OTHERS), 'VACUUM ANALYZE', 'CHECKPOINT']) await client.query(sql)
    },
  }
}
