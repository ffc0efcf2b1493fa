import { PGlite } from '@electric-sql/pglite'
import type { Backend } from './wire.ts'

export type Engine = Backend & { close(): Promise<void>; dump(): Promise<Uint8Array> }

/** PGlite takes four times the memory by default. */
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB']

/** Opens PostgreSQL in this thread, in a folder or in memory. A query blocks the thread while it runs. */
export async function openEngine(options: { folder?: string; template?: Uint8Array } = {}): Promise<Engine> {
  const { folder, template } = options
  const database = await PGlite.create({
    startParams: START_PARAMETERS,
    ...(folder !== undefined && { dataDir: folder }),
    ...(template !== undefined && { loadDataDir: new Blob([new Uint8Array(template)]) }),
  })
  return {
    async reset() {
      if (database.closed) return
      if (database.isInTransaction()) await database.exec('ROLLBACK')
      await database.exec('DISCARD ALL')
    },
    async run(messages) {
      const answers: Uint8Array[] = []
      const onRawData = (bytes: Uint8Array): unknown => answers.push(bytes.slice())
      await database.runExclusive(() => database.execProtocolRawStream(messages, { onRawData }))
      return Buffer.concat(answers)
    },
    close: () => database.close(),
    async dump() {
      const archive = await database.dumpDataDir('gzip')
      return new Uint8Array(await archive.arrayBuffer())
    },
  }
}
