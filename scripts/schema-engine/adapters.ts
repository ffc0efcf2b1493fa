import { PrismaPg } from '@prisma/adapter-pg'
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openEngine } from '../../src/database/embedded/engine.ts'
import { WireSocket } from '../../src/database/embedded/thread.ts'
import { splitStatements } from '../../src/database/migrations/files.ts'
import type { Arguments } from './arguments.ts'
import { createDatabase, dropDatabase, withDatabase } from './servers.ts'

/** How the engine reaches the database, and the shadow database that it replays migrations in. */
export function createAdapterFactory({ url, shadowUrl }: Arguments): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => (url === undefined ? embedded() : server(url)),
    async connectToShadowDb() {
      if (shadowUrl !== undefined) return server(shadowUrl)
      if (url === undefined) return embedded()
      const shadow = withDatabase(url, `prisma_migrate_shadow_db_${randomUUID()}`)
      await createDatabase(shadow)
      return server(shadow, () => dropDatabase(shadow))
    },
  }
}

async function embedded(): Promise<SqlDriverAdapter> {
  const engine = await openEngine()
  const stream = (): WireSocket => new WireSocket(engine)
  return adapter(new pg.Pool({ user: 'postgres', database: 'postgres', max: 1, stream }), () => engine.close())
}

function server(connectionString: string, close?: () => Promise<unknown>): Promise<SqlDriverAdapter> {
  return adapter(new pg.Pool({ connectionString, max: 1, options: '-c timezone=UTC' }), close)
}

const CHAR_OID = 18
const BPCHAR_OID = 1042

async function adapter(pool: pg.Pool, close?: () => Promise<unknown>): Promise<SqlDriverAdapter> {
  // the overridden members are private
  const inner = (await new PrismaPg(pool).connect()) as unknown as Adapter
  const performIO = inner.performIO.bind(inner)
  const queryRaw = inner.queryRaw.bind(inner)
  let chars: number[] = []

  // adapter-pg refuses columns of the type "char", which the catalogue has: read them as bpchar.
  inner.performIO = async (sql) => {
    const result = await performIO(sql)
    chars = result.fields.flatMap(({ dataTypeID }, at) => (dataTypeID === CHAR_OID ? [at] : []))
    for (const at of chars) result.fields[at] = { ...result.fields[at], dataTypeID: BPCHAR_OID }
    return result
  }
  inner.queryRaw = async (sql) => {
    const result = await queryRaw(sql)
    for (const at of chars) result.columnTypes[at] = ColumnTypeEnum.Character
    return result
  }
  // adapter-pg splits scripts at every semicolon, which breaks function bodies: one simple query does not.
  inner.executeScript = async (sql) => {
    for (const statements of splitStatements(sql))
      await pool.query(statements).catch((error: unknown) => inner.onError(error))
  }
  inner.dispose = async () => {
    await pool.end()
    await close?.()
  }
  return inner
}

type Adapter = SqlDriverAdapter & {
  performIO(sql: unknown): Promise<{ fields: { dataTypeID: number }[] }>
  onError(error: unknown): never
}
