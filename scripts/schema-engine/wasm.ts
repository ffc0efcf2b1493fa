import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createAdapterFactory } from './adapters.ts'
import type { Arguments } from './arguments.ts'

export type SchemaEngine = Record<string, (params: unknown) => Promise<unknown>>

/** A panic of the engine leaves its message here. */
export const panics = {
  message: '',
  set_message(message: string): void {
    this.message = message
  },
}

export async function loadEngine(given: Arguments): Promise<SchemaEngine> {
  const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bindings = (await import(pathToFileURL(glue).href)) as Bindings
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics })
  const bytes = readFileSync(join(dirname(glue), 'schema_engine_bg.wasm'))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  const datamodels = given.models.length > 0 ? given.models : undefined
  const factory = bindMigrationAwareSqlAdapterFactory(createAdapterFactory(given))
  return bindings.SchemaEngine.new({ datamodels }, () => undefined, factory)
}

type Bindings = {
  __wbg_set_wasm(exports: Exports): void
  SchemaEngine: { new: (options: unknown, log: () => void, factory: unknown) => Promise<SchemaEngine> }
}

type Exports = { __wbindgen_start(): void }

// TypeScript has these only together with the types of a browser.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: Record<string, Bindings>) => { exports: Exports }
}
