import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleAll } from 'cockatiel'
import { NO_METRICS, timed, type Metrics, type Sample } from '../../lib/metrics.ts'

/** Thrown for a call that was not made because earlier calls failed. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError'
}

/** @throws CircuitOpenError at once while the circuit is open, and whatever the call throws */
type Circuit = <Result>(call: () => Promise<Result>) => Promise<Result>

const FAILURES_MAX = 5
const OPEN_MS = 4000

type Options = {
  openMs?: number | undefined
  /** The name in the metrics */
  name: string
  metrics?: Metrics | undefined
}

/**
 * A circuit breaker for calls to another system. After five failures in a row no call is made for four seconds; then one
 * call at a time tests whether the system has recovered, and others fail rather than wait for it.
 */
export function createCircuit({ openMs = OPEN_MS, name, metrics = NO_METRICS }: Options): Circuit {
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(FAILURES_MAX) })
  watchCircuit(metrics, name, () => nameState(breaker.state))
  const observe = metrics.duration('tawthiq_dependency_duration_seconds', { dependency: name })
  return async (call) => {
    if (breaker.state === CircuitState.HalfOpen)
      throw new CircuitOpenError('another call tests whether the system is back')
    return breaker
      .execute(() => timed(observe, call))
      .catch((error: unknown) => {
        if (error instanceof BrokenCircuitError) throw new CircuitOpenError('calls failed in a row', { cause: error })
        throw error
      })
  }
}

function nameState(state: CircuitState): CircuitStateName {
  if (state === CircuitState.Closed) return 'closed'
  return state === CircuitState.HalfOpen ? 'half_open' : 'open'
}

const CIRCUIT_STATES = ['closed', 'half_open', 'open'] as const
export type CircuitStateName = (typeof CIRCUIT_STATES)[number]

/** Reports the state of a circuit whenever the metrics are read. */
export function watchCircuit(metrics: Metrics | undefined, circuit: string, state: () => CircuitStateName): void {
  metrics?.watch('tawthiq_circuit_state', () => circuitSamples(circuit, state()))
}

/** Returns 1 for the current state of a circuit, and 0 for the others. */
export function circuitSamples(circuit: string, current: CircuitStateName): Sample<'circuit' | 'state'>[] {
  return CIRCUIT_STATES.map((state) => ({ labels: { circuit, state }, value: state === current ? 1 : 0 }))
}
