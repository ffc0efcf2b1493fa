// The alerts and the dashboard of deploy/ use metrics that exist, and each alert has a section in the runbook.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../src/lib/metrics.ts'

type Alerts = { groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[] }
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

const ALERTS = 'deploy/prometheus/alerts.yaml'
const DASHBOARD = 'deploy/grafana/tawthiq.json'

const KNOWN = new Set([
  ...[COUNTERS, GAUGES].flatMap(Object.keys),
  ...Object.keys(HISTOGRAMS).flatMap((name) => [`${name}_bucket`, `${name}_count`, `${name}_sum`]),
  // of Node.js and of Prometheus
  ...['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total', 'process_resident_memory_bytes', 'up'],
])
/** A name before labels, a range or an operator, and not that of a function or label */
const METRIC = /\b((?:tawthiq|http|db|nodejs|process)_\w+|up)\b/g

function unknownIn(expression: string): string[] {
  return [...expression.matchAll(METRIC)].map(([name]) => name).filter((name) => !KNOWN.has(name))
}

void t.test('alerts use known metrics and lead to the runbook', (t) => {
  const { groups } = parse(readFileSync(ALERTS, 'utf8')) as Alerts
  const headings = new Set(
    [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^## (\w+)$/gm)].map(([, heading = '']) => heading),
  )
  const rules = groups.flatMap((group) => group.rules)
  t.ok(rules.length >= 10)
  for (const { alert, expr, annotations } of rules) {
    t.same(unknownIn(expr), [], alert)
    t.ok(headings.has(alert), `${alert} has a section`)
    t.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
  }
  t.same(headings, new Set(rules.map(({ alert }) => alert)))
  t.end()
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
