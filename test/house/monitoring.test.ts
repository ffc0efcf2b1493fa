// The alerts and the dashboard of deploy/ use metrics that exist, and each alert has a section in the runbook.
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

void t.test('the dashboard uses known metrics', (t) => {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard
  t.ok(panels.length >= 10)
  for (const { title, targets } of panels) for (const { expr } of targets) t.same(unknownIn(expr), [], title)
  t.end()
})
