// Tests of the rules of deploy/prometheus by promtool.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'

/** What the documentation has Prometheus do, and how often the rules are evaluated */
export const SCRAPE_SECONDS = 15
export const EVALUATION_SECONDS = 30

export type InputSeries = { series: string; values: string }
export type Expected = { expr: string; eval_time: string; exp_samples: { labels: string; value: number }[] }

/** Runs the rules on series. Returns what differs from the expected values as text. */
export function testRules(folder: string, series: readonly InputSeries[], expected: readonly Expected[]): string {
  const files = readdirSync('deploy/prometheus')
  for (const each of files) copyFileSync(join('deploy/prometheus', each), join(folder, each))
  const test = { interval: `${SCRAPE_SECONDS}s`, input_series: series, promql_expr_test: expected }
  const settings = { rule_files: files, evaluation_interval: `${EVALUATION_SECONDS}s`, tests: [test] }
  writeFileSync(join(folder, 'test.yaml'), stringify(settings, { lineWidth: 0 }))
  const { stdout, stderr, status } = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yaml')])
  return status === 0 ? '' : `${stdout.toString()}${stderr.toString()}`
}
