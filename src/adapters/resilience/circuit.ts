import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleAll } from 'cockatiel'

/** Thrown for a call that was not made because earlier calls failed. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError'
}

/** @throws CircuitOpenError at once while the circuit is open, and whatever the call throws */
export type Circuit = <Result>(call: () => Promise<Result>) => Promise<Result>

const FAILURES_MAX = 5
const OPEN_MS = 10_000

/**
 * A circuit breaker for calls to another system. After five failures in a row no call is made for ten seconds; then one
 * call at a time tests whether the system has recovered, and others fail rather than wait for it.
 */
export function createCircuit({ openMs = OPEN_MS }: { openMs?: number | undefined } = {}): Circuit {
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(FAILURES_MAX) })
  return async (call) => {
    if (breaker.state === CircuitState.HalfOpen)
      throw new CircuitOpenError('another call tests whether the system is back')
    return breaker.execute(call).catch((error: unknown) => {
      throw error instanceof BrokenCircuitError
        ? new CircuitOpenError('calls failed in a row', { cause: error })
        : error
    })
  }
}
