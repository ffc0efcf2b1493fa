// The alerts and the dashboard of deploy/ use metrics that exist, and the documentation has each alert.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { bindings } from '../../generated/operations.ts'
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../src/lib/metrics.ts'
import { collectMetrics } from '../../src/telemetry/metrics.ts'

type Rule = {
  alert?: string
  record?: string
  expr: string
  labels: Record<string, string>
  annotations: { runbook: string }
}
type Rules = { groups: { rules: Rule[] }[] }
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

const RULES = readdirSync('deploy/prometheus')
  .map((file) => parse(readFileSync(`deploy/prometheus/${file}`, 'utf8')) as Rules)
  .flatMap(({ groups }) => groups.flatMap(({ rules }) => rules))
const DASHBOARD = 'deploy/grafana/tawthiq.json'

const KNOWN = new Set([
  ...[COUNTERS, GAUGES].flatMap(Object.keys),
  ...Object.keys(HISTOGRAMS).flatMap((name) => [`${name}_bucket`, `${name}_count`, `${name}_sum`]),
  // of Node.js and of Prometheus
  ...RULES.flatMap(({ record = [] }) => record),
  ...['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total', 'process_resident_memory_bytes', 'up'],
])
/** A name before labels, a range or an operator, and not that of a function or label */
const METRIC = /\b((?:tawthiq|http|db|nodejs|process)[_:][\w:]+|up)\b/g

function unknownIn(expression: string): string[] {
  return [...expression.matchAll(METRIC)].map(([name]) => name).filter((name) => !KNOWN.has(name))
}

void t.test('alerts use known metrics and lead to the runbook', (t) => {
  const headings = new Set(
    [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^## (\w+)$/gm)].map(([, heading = '']) => heading),
  )
  for (const { alert = '', record, expr, annotations } of RULES) {
    t.same(unknownIn(expr), [], alert)
    if (record !== undefined) continue
    t.ok(headings.has(alert), `${alert} has a section`)
    t.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
  }
  const listed = readFileSync('docs/monitoring.md', 'utf8').matchAll(/^\| `(Tawthiq\w+)` +\| (?:critical|warning)/gm)
  t.same(headings, new Set([...listed].map(([, alert = '']) => alert)))
  t.same(headings, new Set(RULES.flatMap(({ alert = [] }) => alert)))
  t.end()
})

void t.test('journeys have operations of the document, and times that are buckets', async (t) => {
  const metrics = collectMetrics()
  metrics.duration('tawthiq_queue_wait_seconds', { queue: 'files' })(1)
  const { text } = await metrics.render()
  for (const { record, labels } of RULES) {
    if (record !== 'tawthiq:journey') continue
    const { operation = '', le = '' } = labels
    t.ok(Object.hasOwn(bindings, operation), operation)
    t.match(text, `tawthiq_queue_wait_seconds_bucket{le="${le}",queue="files"}`)
  }
})

/** Returns a page of metrics with one sample of each. */
function samples(): string {
  const heads = (families: object, type: string): [string, string][] =>
    Object.keys(families).map((name) => [name, `# HELP ${name} help\n# TYPE ${name} ${type}\n`])
  const values = [...heads(COUNTERS, 'counter'), ...heads(GAUGES, 'gauge')].map(([name, head]) => `${head}${name} 1\n`)
  const histograms = heads(HISTOGRAMS, 'histogram').map(
    ([name, head]) => `${head}${name}_bucket{le="+Inf"} 1\n${name}_sum 1\n${name}_count 1\n`,
  )
  return [...values, ...histograms].join('')
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

void t.test('promtool accepts the names', { skip: !hasPromtool && 'needs promtool (Debian: prometheus)' }, (t) => {
  const check = (input: string): string => spawnSync('promtool', ['check', 'metrics'], { input }).stderr.toString()
  t.equal(check(samples()), '')
  t.match(check('# HELP wrong_count x\n# TYPE wrong_count gauge\nwrong_count 1\n'), /wrong_count/)
  t.end()
})

void t.test('the dashboard uses known metrics', (t) => {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard
  t.ok(panels.length >= 10)
  for (const { title, targets } of panels) for (const { expr } of targets) t.same(unknownIn(expr), [], title)
  t.end()
})
