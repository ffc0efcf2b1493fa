// Series of metrics in the notation of `promtool test rules`, as Prometheus scrapes them every 15 s.
import { SCRAPE_SECONDS, type InputSeries } from '../../../scripts/load/promtool.ts'

/** A counter that grows evenly, or a gauge. A series that does not exist is undefined. */
export type Course = Readonly<{ perMinute: number } | { value: number; perSecond?: number }>

/** The series of an instance, by name and labels */
export type Courses = Readonly<Record<string, Course | undefined>>

/** Returns what Prometheus scrapes: the usual courses for some time, and then those of a fault. */
export function scrape(usual: Courses, fault: Courses, seconds: { before: number; after: number }): InputSeries[] {
  const names = [...new Set([...Object.keys(usual), ...Object.keys(fault)])]
  return names.map((name) => {
    const later = name in fault ? fault[name] : usual[name]
    return { series: withTarget(name), values: notation(usual[name], later, seconds) }
  })
}

function notation(
  first: Course | undefined,
  then: Course | undefined,
  seconds: { before: number; after: number },
): string {
  const before = seconds.before / SCRAPE_SECONDS
  const after = seconds.after / SCRAPE_SECONDS
  if (first === then) return run(first, before + after, 0)
  const start = first && 'perMinute' in first ? step(first) * before : 0
  return `${run(first, before, 0)} ${run(then, after, start)}`
}

/** Returns a number of samples. A counter continues from `start`. Prometheus marks the end of a series as stale. */
function run(course: Course | undefined, samples: number, start: number): string {
  if (!course) return `stale _x${samples - 1}`
  const first = 'perMinute' in course ? start + step(course) : course.value
  const slope = 'perMinute' in course ? step(course) : (course.perSecond ?? 0) * SCRAPE_SECONDS
  return `${round(first)}+${round(slope)}x${samples - 1}`
}

function step({ perMinute }: { perMinute: number }): number {
  return (perMinute * SCRAPE_SECONDS) / 60
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6

function withTarget(name: string): string {
  const [metric = '', labels] = name.split(/[{}]/)
  const target = labels?.includes('instance=') ? '' : 'instance="10.0.0.11:9464",'
  return `${metric}{${target}job="tawthiq",${labels ?? ''}}`.replace(',}', '}')
}

type Requests = Readonly<{ perMinute: number; status?: number; code?: string; isSlow?: boolean }>

/** Returns the counters of the requests of an operation that have the same response. */
export function requests(operation: string, { perMinute, status = 200, code = '', isSlow = false }: Requests): Courses {
  const labels = `operation="${operation}",method="POST",status="${status}",error_code="${code}"`
  const name = 'http_server_request_duration_seconds'
  const bucket = (le: string): string => `${name}_bucket{${labels},le="${le}"}`
  const inTime = { perMinute: isSlow ? 0 : perMinute }
  return {
    [`${name}_count{${labels}}`]: { perMinute },
    [bucket('0.25')]: inTime,
    [bucket('2.5')]: inTime,
    [bucket('+Inf')]: { perMinute },
  }
}
