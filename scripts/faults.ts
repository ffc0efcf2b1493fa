// Kills, freezes, fills up, slows down and cuts off each dependency under load, and records what happens and which alerts fire:
// `npm run faults`.
// `-- --only redis --seconds 10 --rate 1 --write` selects dependencies, changes the run and writes docs/measurements.md. Needs
// the programs of PostgreSQL and redis-server, and promtool for alerts. Only root can fill the disk of PostgreSQL.
import { reportedAlerts } from './faults/alerts.ts'
import { openPeople } from './faults/load.ts'
import { describeRows, type Row } from './faults/report.ts'
import { withNetworkFaults } from './faults/proxy.ts'
import { observe, type Observed } from './faults/run.ts'
import { countMails, untilMailsAreSent } from './faults/verify.ts'
import { writeSection } from './generate/markdown.ts'
import type { Fault } from './load/dependencies/dependency.ts'
import { DEPENDENCY_NAMES, openDependencies } from './load/dependencies/index.ts'
import { productionVariables, startInstances } from './load/service.ts'
import { isInstalled, runSession, type Session } from './load/session.ts'
import { readOptions } from './options.ts'

const INSTANCES = 2
/** The longest time until the response of a request that fails */
const RESPONSE_MS_MAX = 5000
/** The longest time from a repair to the last failure */
const RECOVERY_MS_MAX = 5000
/** Five minutes of Prometheus, see faults/alerts.ts */
const REPORT_SECONDS = 20
/** The share of failed requests from which an alert must report a fault */
const REPORTED_SHARE = 0.01

const options = readOptions('npm run faults --', { only: [], fault: [], seconds: 21, rate: 1, write: false })

await runSession('faults', run)

/** Returns whether nothing was lost, every response came in time, and the service recovered by itself. */
async function run(session: Session): Promise<boolean> {
  const { folder } = session
  const opened = await openDependencies(session, DEPENDENCY_NAMES)
  const behind = DEPENDENCY_NAMES.map(async (name) => [name, await withNetworkFaults(opened[name], session)] as const)
  const dependencies = Object.fromEntries(await Promise.all(behind))
  const variables = { ...productionVariables(dependencies), LOG_LEVEL: 'warn', ACCESS_LOG: 'no' }
  const instances = await startInstances(session, INSTANCES, { variables })
  const { DATABASE_URL: databaseUrl = '' } = opened.postgres.variables
  const origins = instances.map(({ origin }) => origin)
  const people = await openPeople(origins, databaseUrl, folder)

  const observed: Observed[] = []
  const add = async (dependency: string, faultName: string, fault: Fault): Promise<Observed> => {
    const each = await observe(dependency, faultName, fault, { databaseUrl, instances, people, folder, ...options })
    console.error(summarize(each))
    observed.push(each)
    return each
  }
  const isChosen = (list: readonly string[], name: string): boolean => list.length === 0 || list.includes(name)
  const none = await add('None', 'none', { apply: () => undefined, repair: () => undefined }) // to compare with
  for (const [name, dependency] of Object.entries(dependencies)) {
    for (const [faultName, fault] of Object.entries(dependency.faults))
      if (isChosen(options.only, name) && isChosen(options.fault, faultName))
        await add(dependency.name, faultName, fault)
  }
  const waitedMs = await untilMailsAreSent(databaseUrl)
  console.error(`the last e-mail was sent ${Math.round(waitedMs / 1000)} s after the last fault`)
  const usual = reportedAlerts(none, none.scrapes, folder)
  const rows = observed.map((each): Row => {
    const alerts = [...reportedAlerts(each, none.scrapes, folder)].filter(([name]) => !usual.has(name))
    return { ...each, mail: countMails(each.mails, folder), alerts }
  })
  const results = describeRows(rows)
  console.log(results)
  const day = new Date().toISOString().slice(0, 10)
  const page = `Measured on ${day}, each fault for ${options.seconds} s.\n\n${results}`
  if (options.write) writeSection('docs/measurements.md', 'faults', page)
  const mustReport = options.seconds >= REPORT_SECONDS && isInstalled('promtool')
  return rows.every(
    ({ fault, failed, sent, alerts, losses, mail, slowestMs, recoveryMs }) =>
      (!mustReport || fault === 'none' || failed.length < sent * REPORTED_SHARE || alerts.length > 0) &&
      losses.writes + losses.sms + mail.lost === 0 &&
      slowestMs <= RESPONSE_MS_MAX &&
      recoveryMs <= RECOVERY_MS_MAX,
  )
}

function summarize({ dependency, fault, sent, failed, recoveryMs, losses }: Observed): string {
  const lost = `lost ${losses.writes} of ${losses.acknowledged} ${losses.details.slice(0, 3).join('; ')}`
  return `${dependency} ${fault}: ${failed.length} of ${sent} failed, recovery ${Math.round(recoveryMs)} ms, ${lost}`
}
