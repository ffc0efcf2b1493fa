// Measures what requests cost, beside base routes of the same run: `npm run bench`. Needs redis-server, wrk, and a
// PostgreSQL server at DATABASE_URL, on which it creates databases of its own.
//
//   npm run bench                                prints the figures of this version
//   npm run bench -- --gate                      compares it with the last release, and fails if it costs more
//   npm run bench -- --gate --against <folder>   compares it with the version that is built there
//   npm run bench -- --gate --write              also writes docs/performance.md
//   npm run bench -- --accounts 1000000          compares the database time of operations with that at 10,000 accounts
//   npm run bench -- --pause 60                  compares the first updates after 60 s without requests with later ones
import { basename } from 'node:path'
import { benchGrowth } from './bench/growth/index.ts'
import { compareWith, measureThis } from './bench/measure.ts'
import { benchPause } from './bench/pause.ts'
import { buildLastRelease } from './load/service.ts'
import { requireServers, runSession } from './load/session.ts'
import { readOptions } from './options.ts'

const DEFAULTS = { accounts: undefined, pause: undefined, gate: false, against: undefined, write: false }
const { accounts, pause, gate, against, write } = readOptions('npm run bench --', DEFAULTS)
if (accounts !== undefined && !/^[1-9]\d{3,7}$/.test(accounts)) {
  console.error('--accounts takes a number from 1000 to 99999999.')
  process.exit(2)
}
if (pause !== undefined && !/^[1-9]\d?$|^[12]\d\d$/.test(pause)) {
  console.error('--pause takes a number of seconds from 1 to 299.')
  process.exit(2)
}
const serverUrl = requireServers('npm run bench', 'redis-server', 'wrk')
const directory = gate ? (against ?? buildLastRelease()) : undefined

await runSession('bench', async (session) => {
  if (accounts !== undefined) console.log(await benchGrowth(session, serverUrl, Number(accounts)))
  else if (pause !== undefined) console.log(await benchPause(session, serverUrl, Number(pause)))
  else if (directory === undefined) console.log(await measureThis(session, serverUrl))
  else return compareWith(session, serverUrl, { directory, name: basename(directory), writes: write })
  return true
})
