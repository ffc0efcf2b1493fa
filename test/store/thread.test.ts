// The thread of the embedded database: whoever asks it after its end is refused at once.
import { join } from 'node:path'
import t from 'tap'
import { openEmbedded } from '../../src/store/embedded/index.ts'
import { startThread } from '../../src/store/embedded/thread.ts'
import { temporaryFolder } from '../support/process.ts'

void t.test('a thread that has ended refuses', async (t) => {
  const folder = temporaryFolder()
  await (await openEmbedded(folder)).close()
  const thread = await startThread(join(folder, 'database'))
  await thread.close()
  await t.rejects(thread.run(new Uint8Array()), /has ended/)
  await t.resolves(thread.close())
})

void t.test('a thread that cannot start says so', async (t) => {
  await t.rejects(startThread('/dev/null/nowhere'))
})
