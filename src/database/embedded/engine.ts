import { PGlite } from '@electric-sql/pglite'
import { setFlagsFromString } from 'node:v8'

/** A PostgreSQL backend that exchanges messages of the wire protocol. */
export type Backend = {
  /** Rolls back the open transaction and resets the session. */
  reset(): Promise<void>
  /** Runs complete messages and returns the response messages. */
  run(messages: Uint8Array): Promise<Uint8Array>
}

export type Engine = Backend & { close(): Promise<void> }

// Makes V8 optimize the code of PostgreSQL a hundred times later than by default. Otherwise the first thousands of queries
// take several times as long, because the optimizing compiler competes with them.
setFlagsFromString('--wasm-tiering-budget=200000000')

/** The default of PGlite needs four times the memory. */
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB']

/**
 * Opens PostgreSQL in this thread, in a directory or in memory. A query blocks the thread while it runs. A missing
 * database is created, which takes seconds and a lot of memory.
 *
 * @param compiled PostgreSQL, if it is compiled already
 */
export async function openEngine(directory?: string, compiled?: WebAssembly.Module): Promise<Engine> {
  const options = { ...(directory && { dataDir: directory }), ...(compiled && { pgliteWasmModule: compiled }) }
  const database = await PGlite.create({ startParams: START_PARAMETERS, ...options })
  return {
    async reset() {
      if (database.closed) return
      if (database.isInTransaction()) await database.exec('ROLLBACK')
      await database.exec('DISCARD ALL')
    },
    async run(messages) {
      const responses: Uint8Array[] = []
      const onRawData = (bytes: Uint8Array): unknown => responses.push(bytes.slice())
      await database.runExclusive(() => database.execProtocolRawStream(messages, { onRawData }))
      return Buffer.concat(responses)
    },
    close: () => database.close(),
  }
}
