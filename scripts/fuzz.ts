// Sends random requests, most of them wrong, to the service, and reports every answer that breaks the document. Opens the
// service itself: on PostgreSQL with DATABASE_URL, else on an embedded database. The same seed sends the same requests.
import { formatReport } from './fuzz/report.ts'
import { fuzz } from './fuzz/run.ts'
import { openFuzzedService } from './fuzz/service.ts'
import { readOptions } from './options.ts'

const defaults = { seed: Date.now() % 1_000_000, requests: 40_000, concurrency: 12 }
const { seed, requests, concurrency } = readOptions('npm run fuzz --', defaults)
if (![seed, requests, concurrency].every(Number.isSafeInteger)) {
  console.error('--seed, --requests and --concurrency take whole numbers.')
  process.exit(2)
}
console.log(`Fuzzing with seed ${seed} …`)
const url = process.env['DATABASE_URL']
const service = await openFuzzedService(url === undefined ? {} : { DATABASE_URL: url })
const step = Math.max(1000, Math.floor(requests / 20))
const outcome = await fuzz(service, {
  seed,
  requests,
  concurrency,
  onProgress: (done) => {
    if (done % step === 0) console.log(`${done} of ${requests}`)
  },
})
console.log(`\n${formatReport(outcome)}`)
await service.close()
process.exit(outcome.findings.size > 0 ? 1 : 0)
