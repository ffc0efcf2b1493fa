// Measures the service against bare Fastify in the same run: on a new database of the server in DATABASE_URL if that is set,
// otherwise on the embedded database. BENCH_SECONDS, BENCH_WRITES and BENCH_ROUNDS set the duration. `--requests` measures
// requests only. `--gate` compares this version with the last release, or with that in the directory `--against`, and fails if
// it costs more; `--write` also writes docs/performance.md. `--accounts 1000000` instead compares the database time of the
// operations with that at 10,000 accounts. Both create databases of their own on the server of DATABASE_URL.
import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { benchGrowth } from './bench/growth/index.ts'
import { runGate } from './bench/gate/index.ts'
import { benchLogins } from './bench/logins.ts'
import { startMeasured } from './bench/measured.ts'
import { benchRequests } from './bench/report.ts'
import { benchStart } from './bench/start.ts'
import { benchUploads } from './bench/uploads.ts'

const { DATABASE_URL: serverUrl } = process.env
const { accounts, gate, requests, ...options } = parseArgs({
  options: {
    accounts: { type: 'string' },
    requests: { type: 'boolean' },
    gate: { type: 'boolean' },
    against: { type: 'string' },
    write: { type: 'boolean' },
  },
}).values
if (accounts === undefined && gate !== true) await benchService(requests)
else if (serverUrl === undefined) throw new Error('--accounts and --gate need a PostgreSQL server: set DATABASE_URL')
else if (gate === true) await benchGate(serverUrl, options)
else if (!/^[1-9]\d{3,7}$/.test(accounts ?? '')) throw new Error('--accounts takes a number from 1000 to 99999999')
else console.log(await benchGrowth(serverUrl, Number(accounts)))

/** Exits with 1 if a figure is above its limit, and with 3 if there is no release to compare with. */
async function benchGate(serverUrl: string, { against, write: writes = false }: typeof options): Promise<void> {
  const directory = against ?? buildLastRelease()
  if (directory === undefined) process.exit(3)
  const passes = await runGate({ serverUrl, directory, name: basename(directory), writes })
  process.exit(passes ? 0 : 1)
}

/** Returns the directory of the last release; undefined if this clone does not have its commit. */
function buildLastRelease(): string | undefined {
  const { status, stdout } = spawnSync('npm', ['run', '-s', 'last-release'], { stdio: ['ignore', 'pipe', 'inherit'] })
  return status === 0 ? stdout.toString().trim() : undefined
}

async function benchService(requests = false): Promise<void> {
  const database = serverUrl === undefined ? 'the embedded database' : 'PostgreSQL'
  console.log(`On ${database}, load average before: ${loadavg()[0]?.toFixed(1) ?? ''}\n`)
  const measured = await startMeasured()
  try {
    console.log(`${await benchRequests(measured)}\n`)
    console.log(`${await benchLogins(measured)}\n`)
  } finally {
    await measured.close()
  }
  if (requests) return
  console.log(`${await benchUploads()}\n`)
  if (process.platform === 'linux') console.log(await benchStart())
}
