// Measures the service against bare Fastify in the same run, on PostgreSQL if DATABASE_URL is set, otherwise on the
// embedded database. BENCH_SECONDS and BENCH_ROUNDS set the duration.
import { benchLogins } from './bench/logins.ts'
import { startMeasured } from './bench/measured.ts'
import { benchRoutes } from './bench/routes.ts'
import { benchStart } from './bench/start.ts'
import { benchUploads } from './bench/uploads.ts'

const measured = await startMeasured()
console.log(`On ${process.env['DATABASE_URL'] === undefined ? 'the embedded database' : 'PostgreSQL'}\n`)
console.log(`${await benchRoutes(measured)}\n`)
console.log(`${await benchLogins(measured)}\n`)
measured.close()
console.log(`${await benchUploads()}\n`)
if (process.platform === 'linux') console.log(await benchStart())
