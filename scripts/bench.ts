// Measures the service against bare Fastify in the same run: on a new database of the server in DATABASE_URL if that is set,
// otherwise on the embedded database. BENCH_SECONDS, BENCH_WRITES and BENCH_ROUNDS set the duration. `--requests` measures
// requests only, and `--save` stores the ratios as those of the release. `--accounts 1000000` instead compares the database
// time of the operations with that at 10,000 accounts, in databases of its own on the server of DATABASE_URL.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { benchGrowth } from './bench/growth/index.ts'
import { benchLogins } from './bench/logins.ts'
import { startMeasured } from './bench/measured.ts'
import { benchRequests } from './bench/report.ts'
import { benchStart } from './bench/start.ts'
import { benchUploads } from './bench/uploads.ts'

const { DATABASE_URL: serverUrl } = process.env
const { accounts, ...options } = parseArgs({
  options: { accounts: { type: 'string' }, requests: { type: 'boolean' }, save: { type: 'boolean' } },
}).values
if (accounts === undefined) await benchService(options)
else if (!/^[1-9]\d{3,7}$/.test(accounts)) throw new Error('--accounts takes a number from 1000 to 99999999')
else if (serverUrl === undefined) throw new Error('--accounts needs a PostgreSQL server: set DATABASE_URL')
else console.log(await benchGrowth(serverUrl, Number(accounts)))

async function benchService({
  requests = false,
  save: saves = false,
}: {
  requests?: boolean
  save?: boolean
}): Promise<void> {
  const database = serverUrl === undefined ? 'the embedded database' : 'PostgreSQL'
  console.log(`On ${database}, load average before: ${loadavg()[0]?.toFixed(1) ?? ''}\n`)
  const measured = await startMeasured()
  try {
    console.log(`${await benchRequests(measured, { saves })}\n`)
    console.log(`${await benchLogins(measured)}\n`)
  } finally {
    await measured.close()
  }
  if (requests) return
  console.log(`${await benchUploads()}\n`)
  if (process.platform === 'linux') console.log(await benchStart())
}
