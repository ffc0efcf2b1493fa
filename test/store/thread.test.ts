// The worker thread of the embedded database.
import t from 'tap'
import { toFailure } from '../../src/database/outages.ts'
import { databasePath } from '../../src/database/embedded/index.ts'
import { startThread } from '../../src/database/embedded/thread.ts'
import { temporaryFolder } from '../support/processes/process.ts'

void t.test('rejects calls after it has ended', async (t) => {
  const thread = await startThread(databasePath(temporaryFolder()))
  await thread.close()
  const error: unknown = await thread.run(new Uint8Array()).catch((reason: unknown) => reason)
  t.match(error, { message: /has exited/ })
  t.match(toFailure(error), { code: 'database_unavailable' }, 'clients get 503')
  await t.resolves(thread.close())
})

void t.test('rejects if it cannot start', async (t) => {
  await t.rejects(startThread('/dev/null/nowhere'))
})
