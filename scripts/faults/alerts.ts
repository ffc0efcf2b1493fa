// What the alerts of deploy/prometheus report of a fault. A second of the run is a scrape of Prometheus, 15 s.
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { repeat } from '../load/parts.ts'
import { EVALUATION_SECONDS, SCRAPE_SECONDS, testRules, type InputSeries } from '../load/promtool.ts'
import { send } from '../load/send.ts'
import type { Instance } from '../load/service.ts'
import { isInstalled } from '../load/session.ts'

/** The samples of an instance by series; undefined if it did not respond */
type Scrape = ReadonlyMap<string, number> | undefined

export type Scrapes = { atMs: number[]; seen: Scrape[]; stop(): Promise<void> }

const INTERVAL_MS = 1000
/** An hour before the run, with the rates of a run without a fault */
const EARLIER = 3600 / SCRAPE_SECONDS
/** The series that the rules read */
const READ =
  /^(tawthiq_|db_client_connection_pending|http_server_request_duration_seconds_(count|bucket.*le="(0\.25|2\.5|\+Inf)"))/
const COUNTER = /^[a-z_]+_(total|count|bucket|sum)\b/

/** Reads the metrics of an instance again and again. */
export function startScrapes({ management }: Instance): Scrapes {
  const [atMs, seen]: [number[], Scrape[]] = [[], []]
  const scrape = async (): Promise<void> => {
    const startMs = performance.now()
    const response = await send(management, { path: '/metrics' }).catch(() => undefined)
    atMs.push(startMs)
    seen.push(response && parse(response.bytes.toString()))
    await sleep(INTERVAL_MS - ((performance.now() - startMs) % INTERVAL_MS))
  }
  return { atMs, seen, stop: repeat(scrape) }
}

function parse(text: string): Scrape {
  const lines = text.split('\n').filter((line) => READ.test(line))
  const pairs = lines.map((line) => /^(.*) (\S+)$/.exec(line) ?? [])
  return new Map(pairs.map(([, name = '', value]) => [name, Number(value)]))
}

/**
 * Returns the seconds from a fault to each alert that fires within five minutes, after an hour like a run without a fault. There
 * is none without promtool.
 */
export function reportedAlerts(
  { scrapes, faultMs }: { scrapes: readonly Scrapes[]; faultMs: number },
  usual: readonly Scrapes[],
  folder: string,
): Map<string, number> {
  if (!isInstalled('promtool')) return new Map()
  const series = scrapes.flatMap((each, at) => toSeries(each, ratesOf(usual[at] ?? each), `10.0.0.${at + 1}:9464`))
  const warmUp = scrapes[0]?.atMs.findIndex((atMs) => atMs >= faultMs) ?? 0
  const startSeconds = (EARLIER + warmUp) * SCRAPE_SECONDS
  const times = Array.from({ length: 12 }, (_, index) => (index - 1) * EVALUATION_SECONDS)
  const text = testRules(
    mkdtempSync(join(folder, 'rules-')),
    series,
    times.map((seconds) => ({
      expr: `group by (alertname) (ALERTS{alertstate="firing"})`,
      eval_time: `${startSeconds + seconds}s`,
      exp_samples: [{ labels: `{seconds="${seconds}"}`, value: 1 }], // so that the output has what fires instead
    })),
  )
  const found = new Map<string, number>()
  for (const part of text.split('expr: ').slice(1)) {
    const seconds = Number(/seconds=\\?"(-?\d+)/.exec(part)?.[1])
    for (const [, name = ''] of (part.split('got:')[1] ?? '').matchAll(/alertname=\\?"(\w+)/g))
      if (!found.has(name)) found.set(name, seconds)
  }
  return new Map([...found].filter(([, seconds]) => seconds >= 0)) // without those of before the fault
}

/** Returns by how much each counter grows from scrape to scrape. */
function ratesOf({ seen }: Scrapes): Map<string, number> {
  const [first, last] = [seen.find(Boolean), seen.findLast(Boolean)]
  const rate = (name: string, value: number): number => (value - (first?.get(name) ?? 0)) / (seen.length - 1)
  return new Map([...(last ?? [])].map(([name, value]) => [name, rate(name, value)]))
}

function toSeries({ seen }: Scrapes, rates: ReadonlyMap<string, number>, instance: string): InputSeries[] {
  const names = new Set(seen.flatMap((scrape) => [...(scrape?.keys() ?? [])]))
  const up = {
    series: `up{job="tawthiq",instance="${instance}"}`,
    values: `1+0x${EARLIER - 1} ${seen.map((each) => (each ? 1 : 0)).join(' ')}`,
  }
  const others = [...names].map((name) => {
    const [metric = '', labels = ''] = name.replace('}', '').split('{')
    const first = seen[0]?.get(name)
    const [start, rate] = COUNTER.test(name) ? [0, rates.get(name) ?? 0] : [first, 0]
    const base = COUNTER.test(name) ? rate * EARLIER - (first ?? 0) : 0
    const values = seen.map((scrape) => scrape?.get(name)).map((value) => (value === undefined ? '_' : value + base))
    const earlier = first === undefined ? `_x${EARLIER}` : `${start}+${rate}x${EARLIER - 1}`
    return {
      series: `${metric}{job="tawthiq",instance="${instance}"${labels && `,${labels}`}}`,
      values: `${earlier} ${values.join(' ')}`,
    }
  })
  return [up, ...others]
}
