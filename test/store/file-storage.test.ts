import t from 'tap'
import { openService } from '../support/service/service.ts'

void t.test('gives a database one identity when instances start at the same time', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  await service.database.prisma.fileStore.deleteMany()
  const { fileStore } = service.app.context.store
  const identities = await Promise.all(Array.from({ length: 8 }, () => fileStore.identity()))
  t.equal(new Set(identities.map(({ databaseId }) => databaseId)).size, 1)
})
