// Kills, freezes, fills up, slows down and cuts off each dependency under load, and records what happens and which alerts fire:
// `npm run faults`.
// `-- --only redis --seconds 10 --rate 1 --write` selects dependencies, changes the run and writes docs/measurements.md. Needs
// the programs of PostgreSQL and redis-server, and promtool for alerts. Only root can fill the disk of PostgreSQL.
import { ratesOf, reportedAlerts } from './faults/alerts.ts'
import { openPeople } from './faults/people.ts'
import { describeRows, writePage, type Row } from './faults/report.ts'
import { withNetworkFaults } from './faults/proxy.ts'
import { observe, type Observed } from './faults/run.ts'
import { countMails, untilMailsAreSent, type Setting } from './faults/verify.ts'
import type { Fault, FaultName } from './load/dependencies/dependency.ts'
import { DEPENDENCY_NAMES, openDependencies } from './load/dependencies/index.ts'
import type { Sample } from './load/load.ts'
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
const REPORTED_SHARE = 0.01

const options = readOptions('npm run faults --', { only: [], fault: [], seconds: 21, rate: 1, write: false })

await runSession('faults', run)

type Firsts = [Parameters<typeof observe>[0], Parameters<typeof observe>[1]]

/** Returns whether nothing was lost, every response came in time, and the service recovered by itself. */
async function run(session: Session): Promise<boolean> {
  const { folder } = session
  const opened = await openDependencies(session, DEPENDENCY_NAMES)
  const behind = DEPENDENCY_NAMES.map(async (name) => [name, await withNetworkFaults(opened[name], session)] as const)
  const dependencies = Object.fromEntries(await Promise.all(behind)) as typeof opened
  const variables = { ...productionVariables(dependencies), LOG_LEVEL: 'warn', ACCESS_LOG: 'no' }
  const instances = await startInstances(session, INSTANCES, { variables })
  const origins = instances.map(({ origin }) => origin)
  const { DATABASE_URL: databaseUrl = '' } = opened.postgres.variables
  const people = await openPeople(origins, databaseUrl, folder)
  const setting: Setting = { databaseUrl, instances, people, folder, rate: options.rate }

  const observed: Observed[] = []
  const none: Fault = { apply: () => undefined, repair: () => undefined }
  const isChosen = (list: readonly string[], name: string): boolean => list.length === 0 || list.includes(name)
  const add = async (...[dependency, fault]: Firsts): Promise<void> => {
    const each = await observe(dependency, fault, options.seconds, setting)
    console.error(summarize(each))
    observed.push(each)
  }
  await add({ name: 'None' }, ['none', none]) // to compare with
  for (const [, dependency] of Object.entries(dependencies).filter(([name]) => isChosen(options.only, name))) {
    const faults = Object.entries(dependency.faults) as [FaultName, Fault][] // a literal of these names
    for (const fault of faults) if (isChosen(options.fault, fault[0])) await add(dependency, fault)
  }
  const waitedMs = await untilMailsAreSent(databaseUrl)
  console.error(`the last e-mail was sent ${Math.round(waitedMs / 1000)} s after the last fault`)
  const usual = alertsOf(observed[0], observed[0], folder)
  const rows = observed.map((each): Row => {
    const alerts = [...alertsOf(each, observed[0], folder)].filter(([name]) => !usual.has(name))
    return { ...each, mail: countMails(each.mails, folder), alerts }
  })
  const results = describeRows(rows)
  console.log(results)
  const day = new Date().toISOString().slice(0, 10)
  if (options.write) writePage(results, `Measured on ${day}, each fault for ${options.seconds} s.`)
  return rows.every(
    ({ losses, mail, slowest, recoveryMs, ...row }) =>
      (isReported(row) || options.seconds < REPORT_SECONDS || !isInstalled('promtool')) &&
      losses.writes + losses.sms + mail.lost === 0 &&
      (slowest.failure?.ms ?? 0) <= RESPONSE_MS_MAX &&
      recoveryMs <= RECOVERY_MS_MAX,
  )
}

/** Returns whether an alert reports a fault because of which many requests fail. */
function isReported({ fault, failed, sent, alerts }: Pick<Row, 'fault' | 'failed' | 'sent' | 'alerts'>): boolean {
  return fault === 'none' || failed.length < sent * REPORTED_SHARE || alerts.length > 0
}

/** Returns the seconds to each alert, after an hour like the run without a fault. */
function alertsOf(of: Observed | undefined, none: Observed | undefined, folder: string): Map<string, number> {
  if (!of || !none || !isInstalled('promtool')) return new Map()
  const instances = of.scrapes.map((scrapes, index) => ({ scrapes, rates: ratesOf(none.scrapes[index] ?? scrapes) }))
  return reportedAlerts(instances, of.faultMs, folder)
}

function summarize({ dependency, fault, sent, failed, slowest, recoveryMs, losses }: Observed): string {
  const text = (each: Sample | undefined): string =>
    each ? `${Math.round(each.ms)} ms ${each.operation} ${each.code}` : ''
  const longest = `${text(slowest.failure)} / ${text(slowest.success)}`
  const lost = losses.details.slice(0, 3).join('; ')
  return `${dependency} ${fault}: ${failed.length} of ${sent} failed, slowest ${longest}, recovery ${Math.round(recoveryMs)} ms, lost ${losses.writes} of ${losses.acknowledged} ${lost}`
}
