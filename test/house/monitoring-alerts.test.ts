// Each alert of deploy/prometheus fires within five minutes of a fault, and none in normal traffic.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { EVALUATION_SECONDS, testRules, type Expected, type InputSeries } from '../../scripts/load/promtool.ts'
import { FAULTS, NIGHT, USUAL, type Fault } from '../support/monitoring/faults.ts'
import { scrape } from '../support/monitoring/series.ts'

type Rule = { alert?: string; annotations?: { summary: string } }
type Rules = { groups: { interval: string; rules: Rule[] }[] }

const DIRECTORY = 'deploy/prometheus'
const FILES = readdirSync(DIRECTORY)
const SECONDS_MAX = 300
const HOUR = 3600

const groups = FILES.flatMap((file) => (parse(readFileSync(join(DIRECTORY, file), 'utf8')) as Rules).groups)
const summaries = new Map(
  groups.flatMap(({ rules }) =>
    rules.flatMap(({ alert, annotations }) => (alert === undefined ? [] : [[alert, annotations?.summary ?? '']])),
  ),
)
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const skip = !hasPromtool && 'needs promtool (Debian: prometheus)'

void t.test('each alert has a fault that it reports within five minutes', (t) => {
  const reported = Object.values(FAULTS).flatMap(({ alerts }) => Object.keys(alerts))
  t.same(new Set(reported), new Set(summaries.keys()))
  for (const [name, { alerts }] of Object.entries(FAULTS)) t.ok(Math.max(...Object.values(alerts)) <= SECONDS_MAX, name)
  t.same(new Set(groups.map(({ interval }) => interval)), new Set([`${EVALUATION_SECONDS}s`]))
  t.end()
})

for (const [name, fault] of Object.entries(FAULTS)) {
  void t.test(`reports a fault: ${name}`, { skip }, (t) => {
    t.equal(testRules(t.testdir(), ...reportOf(fault)), '')
    t.end()
  })
}

void t.test('reports nothing in a day of normal traffic, of which little is at night', { skip }, (t) => {
  const never = { expr: 'count_over_time(ALERTS{alertstate="firing"}[1d])', eval_time: '1d', exp_samples: [] }
  t.equal(testRules(t.testdir(), scrape(NIGHT, USUAL, { before: 8 * HOUR, after: 16 * HOUR }), [never]), '')
  t.end()
})

/** Expects the alerts of a fault at the second at which each of them first fires, and none before. */
function reportOf({ metrics, alerts, before, hoursBefore = 1 }: Fault): [InputSeries[], Expected[]] {
  const startSeconds = hoursBefore * HOUR
  const moments = [...Object.values(alerts), SECONDS_MAX].flatMap((seconds) => [seconds - EVALUATION_SECONDS, seconds])
  const firing = [...new Set(moments)].map((seconds) => {
    const names = Object.entries(alerts).flatMap(([name, fromSeconds]) => (fromSeconds <= seconds ? [name] : []))
    return {
      expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${startSeconds + seconds}s`,
      exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
    }
  })
  const labels = Object.keys(alerts).map((name) => labelsOf(name, startSeconds + SECONDS_MAX))
  const after = SECONDS_MAX + EVALUATION_SECONDS
  const series = scrape({ ...USUAL, ...before }, metrics, { before: startSeconds, after })
  return [series, [...firing, ...labels]]
}

/** Expects a value of each label in the summary of an alert, except for those that it leaves out without one. */
function labelsOf(alert: string, seconds: number): Expected {
  const summary = (summaries.get(alert) ?? '').replace(/\{\{ with .+?\}\}/g, '')
  const labels = [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => `,${label}!=""`)
  const expr = `group(ALERTS{alertname="${alert}",alertstate="firing"${labels.join('')}})`
  return { expr, eval_time: `${seconds}s`, exp_samples: [{ labels: '{}', value: 1 }] }
}
