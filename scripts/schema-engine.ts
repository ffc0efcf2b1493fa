// The schema engine of Prisma, compiled to WASM, on an embedded database. The CLI would download a native one.
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { openEngine } from '../src/database/embedded/engine.ts'
import { WireSocket } from '../src/database/embedded/thread.ts'
import { splitStatements } from '../src/database/migrations/files.ts'

type SchemaEngine = { diff(given: object): Promise<{ exitCode: number; stdout?: string }> }

/** A panic of the engine leaves its message here. */
const panics = {
  message: '',
  set_message(message: string): void {
    this.message = message
  },
}

export async function loadSchemaEngine(): Promise<SchemaEngine> {
  // A panic, or a fault of the schema, arrives outside any promise.
  process.on('uncaughtException', ({ message }) => {
    console.error(`The schema engine failed: ${panics.message || message}`)
    process.exit(1)
  })
  const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bindings = (await import(pathToFileURL(glue).href)) as Bindings
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics })
  const bytes = readFileSync(join(dirname(glue), 'schema_engine_bg.wasm'))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: openEmbedded,
    connectToShadowDb: openEmbedded,
  })
  return bindings.SchemaEngine.new({}, () => undefined, factory)
}

const CHAR_OID = 18
const BPCHAR_OID = 1042

async function openEmbedded(): Promise<SqlDriverAdapter> {
  const engine = await openEngine()
  const stream = (): WireSocket => new WireSocket(engine)
  const pool = new pg.Pool({ user: 'postgres', database: 'postgres', max: 1, stream })
  // the overridden members are private
  const inner = (await new PrismaPg(pool).connect()) as unknown as Adapter
  const performIO = inner.performIO.bind(inner)
  const queryRaw = inner.queryRaw.bind(inner)
  let chars: number[] = []

  // adapter-pg rejects columns of the type "char", which the catalogue has: read them as bpchar.
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
    await engine.close()
  }
  return inner
}

type Adapter = SqlDriverAdapter & {
  performIO(sql: unknown): Promise<{ fields: { dataTypeID: number }[] }>
  onError(error: unknown): never
}

type Bindings = {
  __wbg_set_wasm(exports: Exports): void
  SchemaEngine: { new: (options: object, log: () => void, factory: unknown) => Promise<SchemaEngine> }
}

type Exports = { __wbindgen_start(): void }

// TypeScript has these only together with the types of a browser.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: Record<string, Bindings>) => { exports: Exports }
}
