import { PGlite } from '@electric-sql/pglite'
import type { Backend } from './wire.ts'

export type Engine = Backend & { close(): Promise<void> }

/** PGlite takes four times the memory by default. */
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB']

/**
 * Opens PostgreSQL in this thread, in a folder or in memory. A query blocks the thread while it runs. Where there is no
 * database yet, one is made, which takes seconds and a lot of memory.
 */
export async function openEngine(folder?: string): Promise<Engine> {
  const dataDir = folder === undefined ? {} : { dataDir: folder }
  const database = await PGlite.create({ startParams: START_PARAMETERS, ...dataDir })
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
  }
}
