// Measures the service against bare Fastify in the same run: on a new database of the server in DATABASE_URL if that is set,
// otherwise on the embedded database. BENCH_SECONDS, BENCH_WRITES and BENCH_ROUNDS set the duration. `--requests` measures
// requests only, and `--save` stores the ratios as those of the release.
import { loadavg } from 'node:os'
import { benchLogins } from './bench/logins.ts'
import { startMeasured } from './bench/measured.ts'
import { benchRequests } from './bench/report.ts'
import { benchStart } from './bench/start.ts'
import { benchUploads } from './bench/uploads.ts'

const options = new Set(process.argv.slice(2))
const database = process.env['DATABASE_URL'] === undefined ? 'the embedded database' : 'PostgreSQL'
console.log(`On ${database}, load average before: ${loadavg()[0]?.toFixed(1) ?? ''}\n`)

const measured = await startMeasured()
try {
  console.log(`${await benchRequests(measured, { saves: options.has('--save') })}\n`)
  console.log(`${await benchLogins(measured)}\n`)
} finally {
  await measured.close()
}
if (!options.has('--requests')) {
  console.log(`${await benchUploads()}\n`)
  if (process.platform === 'linux') console.log(await benchStart())
}
