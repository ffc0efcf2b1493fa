// Measures the service against bare Fastify in the same run, on PostgreSQL if DATABASE_URL is set, otherwise on the
// embedded database. BENCH_SECONDS and BENCH_ROUNDS set the duration. With `--accounts 1000000`, it instead compares the
// database time of the operations with that at 10,000 accounts, in databases of its own on the server of DATABASE_URL.
import { parseArgs } from 'node:util'
import { benchGrowth } from './bench/growth/index.ts'
import { benchLogins } from './bench/logins.ts'
import { startMeasured } from './bench/measured.ts'
import { benchRoutes } from './bench/routes.ts'
import { benchStart } from './bench/start.ts'
import { benchUploads } from './bench/uploads.ts'

const { DATABASE_URL: serverUrl } = process.env
const { accounts } = parseArgs({ options: { accounts: { type: 'string' } } }).values
if (accounts === undefined) await benchService()
else if (!/^[1-9]\d{3,7}$/.test(accounts)) throw new Error('--accounts takes a number from 1000 to 99999999')
else if (serverUrl === undefined) throw new Error('--accounts needs a PostgreSQL server: set DATABASE_URL')
else console.log(await benchGrowth(serverUrl, Number(accounts)))

async function benchService(): Promise<void> {
  const measured = await startMeasured()
  console.log(`On ${serverUrl === undefined ? 'the embedded database' : 'PostgreSQL'}\n`)
  console.log(`${await benchRoutes(measured)}\n`)
  console.log(`${await benchLogins(measured)}\n`)
  measured.close()
  console.log(`${await benchUploads()}\n`)
  if (process.platform === 'linux') console.log(await benchStart())
}
