// The state of every dependency, for operators. Probes of load balancers get none of these details.
import type { Clock } from '../domain/clock.ts'
import { Failure } from '../domain/failure.ts'
import { withDeadline } from '../adapters/resilience/deadline.ts'

/** Throws if the dependency does not work. */
export type Dependency = Readonly<{
  name: string
  /** Whether the service is not ready without it. Without any other, it works in part. */
  isRequired: boolean
  check(signal: AbortSignal): Promise<unknown>
}>

export type DependencyHealth = Readonly<{
  name: string
  /** `degraded`: it fails, and the service is ready without it */
  status: 'ok' | 'degraded' | 'failed'
  /** How long the last check took */
  latencyMs: number
  /** When the status changed last, or was first checked */
  since: Date
  /** Why the check failed: an error code, without addresses or credentials */
  reason: string | undefined
}>

const CHECK_MS_MAX = 1800
/** Results are shared for a while, so that frequent readers cost nothing. */
const FRESH_MS = 2000

/** Returns a function that checks all dependencies at the same time, and never takes longer than 2 s. */
export function healthCheck(dependencies: readonly Dependency[], clock: Clock): () => Promise<DependencyHealth[]> {
  const previous = new Map<string, DependencyHealth>()
  let checkedAtMs = -Infinity
  let checking: Promise<DependencyHealth[]> | undefined

  const checkOne = async (dependency: Dependency): Promise<DependencyHealth> => {
    const { name } = dependency
    const startedAtMs = performance.now()
    const reason = await withDeadline(CHECK_MS_MAX, dependency.check).then(() => undefined, describe)
    const latencyMs = Math.round((performance.now() - startedAtMs) * 10) / 10
    const status = reason === undefined ? 'ok' : dependency.isRequired ? 'failed' : 'degraded'
    const before = previous.get(name)
    const since = before?.status === status ? before.since : new Date(clock.nowMs())
    const health = { name, status, latencyMs, since, reason } as const
    previous.set(name, health)
    return health
  }
  return () => {
    if (checking && clock.nowMs() - checkedAtMs < FRESH_MS) return checking
    checkedAtMs = clock.nowMs()
    checking = Promise.all(dependencies.map(checkOne))
    return checking
  }
}

function describe(error: unknown): string {
  const fault = error instanceof Failure && error.cause instanceof Error ? error.cause : error
  if (fault instanceof Failure) return fault.code
  if (!(fault instanceof Error)) return 'unknown'
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : fault.message
}

/** Returns the response of the management server: 503 if a required dependency fails. */
export function describeHealth(dependencies: readonly DependencyHealth[]): {
  status: number
  type: string
  text: string
} {
  const has = (status: DependencyHealth['status']): boolean => dependencies.some((each) => each.status === status)
  const status = has('failed') ? 'failed' : has('degraded') ? 'degraded' : 'ok'
  return {
    status: status === 'failed' ? 503 : 200,
    type: 'application/json',
    text: `${JSON.stringify({ status, dependencies }, undefined, 2)}\n`,
  }
}
