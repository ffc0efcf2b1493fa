import { Histogram, type MetricObjectWithValues, type MetricValueWithName, type Registry } from 'prom-client'
import type { Observe } from '../../lib/metrics.ts'

/** Upper bounds in seconds */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The types of prom-client declare an enumeration here, which does not exist at run time. */
const TYPE = 'histogram' as never

type Labels = Readonly<Record<string, string>>
type Child = Readonly<{ labels: Labels; counts: number[]; sum: () => number; observe: Observe }>
type Values = MetricObjectWithValues<MetricValueWithName<string>>

/**
 * A histogram of durations. Its children are found once and then only count, so that they can be used for every request:
 * that of prom-client hashes its labels for each value.
 */
export class DurationHistogram extends Histogram {
  readonly #children = new Map<string, Child>()
  readonly #name: string
  readonly #help: string

  constructor(registry: Registry, name: string, { help, labels }: { help: string; labels: readonly string[] }) {
    super({ name, help, labelNames: [...labels], registers: [registry] })
    this.#name = name
    this.#help = help
  }

  /** Returns the function that adds a duration for these labels. */
  child(labels: Labels): Observe {
    const key = JSON.stringify(labels)
    const child = this.#children.get(key) ?? createChild(labels)
    this.#children.set(key, child)
    return child.observe
  }

  override async get(): Promise<Values> {
    const values = [...this.#children.values()].flatMap((each) => toValues(this.#name, each))
    return { name: this.#name, help: this.#help, type: TYPE, aggregator: 'sum', collect: () => undefined, values }
  }

  /** Called by the registry in place of `get` */
  async getForPromString(): Promise<Values> {
    return this.get()
  }
}

function createChild(labels: Labels): Child {
  const counts = Array.from({ length: BOUNDS.length + 1 }, () => 0)
  let sum = 0
  const observe = (seconds: number): void => {
    let at = 0
    while (seconds > (BOUNDS[at] ?? Infinity)) at++
    counts[at] = (counts[at] ?? 0) + 1
    sum += seconds
  }
  return { labels, counts, sum: () => sum, observe }
}

/** Returns the cumulative buckets, the sum and the count. */
function toValues(name: string, { labels, counts, sum }: Child): MetricValueWithName<string>[] {
  let total = 0
  const buckets = counts.map((count, at) => {
    total += count
    return { metricName: `${name}_bucket`, labels: { le: String(BOUNDS[at] ?? '+Inf'), ...labels }, value: total }
  })
  const [sumName, countName] = [`${name}_sum`, `${name}_count`]
  return [...buckets, { metricName: sumName, labels, value: sum() }, { metricName: countName, labels, value: total }]
}
