import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { COUNTERS, GAUGES, HISTOGRAMS, type Family, type Metrics, type Sample } from '../lib/metrics.ts'
import type { ManagementReply } from '../management/server.ts'

/** Upper bounds of durations in seconds */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type Read = () => readonly Sample<string>[] | Promise<readonly Sample<string>[]>

/** Creates the metrics of the service, and those of the process. `render` returns their text in the format of Prometheus. */
export function collectMetrics(): Metrics & { render(): Promise<ManagementReply> } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = mapFamilies(COUNTERS, (name, { help, labels }) => {
    return new Counter({ name, help, labelNames: [...labels], registers: [registry] })
  })
  const histograms = mapFamilies(HISTOGRAMS, (name, { help, labels }) => {
    return new Histogram({ name, help, labelNames: [...labels], buckets: BUCKETS, registers: [registry] })
  })
  const gauges = mapFamilies(GAUGES, (name, family) => watchedGauge(registry, name, family))
  return {
    count: (name, labels) => counters[name].inc({ ...labels }),
    duration: (name, labels) => histograms[name].labels({ ...labels }).observe,
    watch: (name, read) => gauges[name].add(read),
    async render() {
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

function mapFamilies<Name extends string, Of>(
  families: Readonly<Record<Name, Family>>,
  build: (name: Name, family: Family) => Of,
): Record<Name, Of> {
  const entries = Object.entries<Family>(families).map(([name, family]) => [name, build(name as Name, family)])
  return Object.fromEntries(entries) as Record<Name, Of>
}

/** Creates a gauge that is read together with the other metrics. A reader that throws only leaves its samples out. */
function watchedGauge(registry: Registry, name: string, { help, labels }: Family): { add(read: Read): void } {
  const readers: Read[] = []
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    async collect() {
      const found = await Promise.allSettled(readers.map(async (read) => read()))
      this.reset()
      for (const samples of found) {
        if (samples.status === 'rejected') continue
        for (const { labels: of, value } of samples.value) this.set({ ...of }, value)
      }
    },
  })
  return { add: (read) => readers.push(read) }
}
