import { markdownTable } from '../generate/markdown.ts'
import type { Sample } from '../load/load.ts'
import { OPERATION_NAMES as OPERATIONS } from './load.ts'
import type { Observed, Probe } from './run.ts'
import type { countMails } from './verify.ts'

const HEADINGS = [
  ...['Dependency', 'Fault', '`/health/ready`', '`/health` (management)'],
  ...['Failed operations', 'Slowest failure', 'Recovery', 'Alerts'],
]
/** `alerts` has the seconds of Prometheus from the fault to each alert. */
export type Row = Observed & { mail: ReturnType<typeof countMails>; alerts: readonly (readonly [string, number])[] }

/** Returns the losses of all rows, and a table of what the service did. */
export function describeRows(rows: readonly Row[]): string {
  const behavior = rows.map((row) => [
    row.dependency,
    row.fault,
    describeProbe('ready', row.probes),
    describeHealth(row.probes),
    describeFailures(row),
    row.failed.length > 0 ? inSeconds(row.slowestMs) : '',
    inSeconds(row.recoveryMs),
    row.alerts.map(([name, seconds]) => `\`${name}\` ${seconds / 60} min`).join('<br>') || 'none',
  ])
  const sum = (count: (row: Row) => number): number => rows.reduce((total, row) => total + count(row), 0)
  const lost = `${sum(({ losses }) => losses.writes)} writes, ${sum(({ mail }) => mail.lost)} e-mails, ${sum(({ losses }) => losses.sms)} SMS`
  const live = [...new Set(rows.map(({ probes }) => describeProbe('live', probes)))].join(', ')
  const totals = `In all, ${sum(({ losses }) => losses.acknowledged)} writes and ${sum(({ mail }) => mail.accepted)} e-mails were acknowledged. Lost: ${lost}. Sent twice: ${sum(({ mail }) => mail.doubled)} e-mails. \`/health/live\`: ${live}.`
  return `${totals}\n\n${markdownTable(HEADINGS, behavior)}`
}

function describeProbe(probe: Probe['name'], seen: readonly Probe[]): string {
  const first = seen.find(({ name, status }) => name === probe && status !== 200)
  return first ? `\`${first.status || 'none'}\` after ${inSeconds(first.atMs)}` : '`200`'
}

/** Returns the first state of each dependency that failed. */
function describeHealth(seen: readonly Probe[]): string {
  const firsts = new Map<string, number>()
  for (const { detail, atMs } of seen)
    for (const each of detail.split(', ')) if (each && !firsts.has(each)) firsts.set(each, atMs)
  return [...firsts].map(([each, atMs]) => `${each} after ${inSeconds(atMs)}`).join(', ') || 'ok'
}

function describeFailures({ failed, sent }: Row): string {
  const groups = new Map<string, Sample[]>()
  for (const sample of failed) {
    const reason = `\`${sample.status || 'no response'} ${sample.code}\``
    groups.set(reason, [...(groups.get(reason) ?? []), sample])
  }
  const texts = [...groups].map(([reason, samples]) => {
    const names = OPERATIONS.filter((each) => samples.some(({ operation }) => operation === each))
    const others = OPERATIONS.filter((each) => !names.includes(each))
    const list = (operations: readonly string[]): string => operations.map((each) => `\`${each}\``).join(', ')
    const which = others.length === 0 ? 'all' : others.length < names.length ? `all but ${list(others)}` : list(names)
    return `${reason}: ${which} (${samples.length} of ${sent})`
  })
  return texts.join('<br>') || 'none'
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
