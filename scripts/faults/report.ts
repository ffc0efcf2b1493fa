import { readFileSync, writeFileSync } from 'node:fs'
import { toTable } from '../load/figures.ts'
import type { Sample } from '../load/load.ts'
import { OPERATION_NAMES as OPERATIONS } from './load.ts'
import type { Observed } from './run.ts'
import type { MailCounts } from './verify.ts'

const PAGE = 'docs/faults.md'
const BEGIN = '<!-- faults -->\n'
const END = '\n<!-- /faults -->'

const HEADINGS = [
  'Dependency',
  'Fault',
  '`/health/live`',
  '`/health/ready`',
  '`/health` (management)',
  'Failed operations',
  'Slowest failure',
  'Slowest success',
  'Recovery',
]
const LOSS_HEADINGS = [
  'Dependency',
  'Fault',
  'Acknowledged writes',
  'Lost',
  'E-mails',
  'Lost',
  'Sent twice',
  'SMS lost',
]

export type Row = Observed & { mail: MailCounts }

/** Returns the two tables of the page. */
export function describeRows(rows: readonly Row[]): string {
  const behavior = rows.map((row) => [
    row.dependency,
    row.fault,
    describeProbe(row.probes.live),
    describeProbe(row.probes.ready),
    describeHealth(row),
    describeFailures(row),
    describeSlowest(row.slowest.failure),
    describeSlowest(row.slowest.success),
    `${(row.recoveryMs / 1000).toFixed(1)} s`,
  ])
  const losses = rows.map(({ dependency, fault, losses, mail }) => [
    dependency,
    fault,
    losses.acknowledged,
    losses.writes,
    mail.accepted,
    mail.lost,
    mail.doubled,
    losses.sms,
  ])
  return `${toTable(HEADINGS, behavior)}\n\n${toTable(LOSS_HEADINGS, losses)}`
}

/** Replaces the tables of the page. */
export function writePage(tables: string, run: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no markers`)
  writeFileSync(PAGE, `${before}${BEGIN}\n${run}\n\n${tables}\n${END}${after}`)
}

function describeProbe(seen: Row['probes']['live']): string {
  const first = seen.find(({ status }) => status !== 200)
  return first ? `\`${first.status || 'none'}\` after ${inSeconds(first.atMs)}` : '`200`'
}

/** Returns the first state of each dependency that failed. */
function describeHealth({ probes: { health } }: Row): string {
  const seen = new Map<string, number>()
  for (const { detail, atMs } of health)
    for (const each of detail.split(', ')) if (each && !seen.has(each)) seen.set(each, atMs)
  return [...seen].map(([each, atMs]) => `${each} after ${inSeconds(atMs)}`).join(', ') || 'ok'
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

function describeSlowest(sample: Sample | undefined): string {
  return sample ? `${inSeconds(sample.ms)} (\`${sample.operation}\`)` : ''
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
