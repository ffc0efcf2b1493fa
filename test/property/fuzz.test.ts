// A short run of the fuzzer; `npm run fuzz` is the long one.
import { createHash } from 'node:crypto'
import t from 'tap'
import { randomOf } from '../../scripts/fuzz/random.ts'
import { reportOf } from '../../scripts/fuzz/report.ts'
import { newRecipe } from '../../scripts/fuzz/requests.ts'
import { fuzz } from '../../scripts/fuzz/run.ts'
import { openFuzzedService } from '../../scripts/fuzz/service.ts'

const SEED = 20_261_122
const REQUESTS = 1000

void t.test('every answer to a wrong request is one of the document', async (t) => {
  const service = await openFuzzedService()
  t.teardown(() => service.close())
  const outcome = await fuzz(service, { seed: SEED, requests: REQUESTS, concurrency: 4 })
  const findings = [...outcome.findings.keys()]
  t.same(findings, [], findings.length > 0 ? reportOf(outcome) : 'no findings')
  t.ok(outcome.statuses.size > 40, 'all operations were sent something')
})

void t.test('the same seed makes the same requests', (t) => {
  const recipes = (seed: number): string => {
    const random = randomOf(seed)
    const made = Array.from({ length: 100 }, () => newRecipe(random, () => undefined))
    return createHash('sha256').update(JSON.stringify(made)).digest('hex')
  }
  t.equal(recipes(1), recipes(1))
  t.not(recipes(1), recipes(2))
  t.end()
})
