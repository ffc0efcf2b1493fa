// A short run of the fuzzer; `npm run fuzz` is the long one.
import { createHash } from 'node:crypto'
import t from 'tap'
import { createRandom } from '../../scripts/fuzz/random.ts'
import { formatReport } from '../../scripts/fuzz/report.ts'
import { newRecipe } from '../../scripts/fuzz/requests.ts'
import { fuzz } from '../../scripts/fuzz/run.ts'
import { openFuzzedService } from '../../scripts/fuzz/service.ts'
import { ownDatabase } from '../support/service/databases.ts'
import { embeddedDatabase } from '../support/service/embedded-databases.ts'
import { openSharedPool } from '../support/service/shared-threads.ts'

const SEED = 20_261_122
const REQUESTS = process.env['DATABASE_URL'] === undefined ? 300 : 1000

void t.test('responds as documented to invalid requests', async (t) => {
  const { url, environment, drop } = await ownDatabase()
  const database = url === undefined ? await embeddedDatabase() : undefined
  const service = await openFuzzedService(environment, { ...(database && { database }), openPool: openSharedPool })
  t.teardown(async () => {
    await service.close()
    await database?.close()
    await drop()
  })
  const outcome = await fuzz(service, { seed: SEED, requests: REQUESTS, concurrency: 4 })
  const findings = [...outcome.findings.keys()]
  t.same(findings, [], findings.length > 0 ? formatReport(outcome) : 'no findings')
  t.ok(outcome.statuses.size > 40, 'all operations were sent something')
})

void t.test('generates the same requests from the same seed', (t) => {
  const recipes = (seed: number): string => {
    const random = createRandom(seed)
    const made = Array.from({ length: 100 }, () => newRecipe(random, () => undefined))
    return createHash('sha256').update(JSON.stringify(made)).digest('hex')
  }
  t.equal(recipes(1), recipes(1))
  t.not(recipes(1), recipes(2))
  t.end()
})
