import type { Metrics } from '../../lib/metrics.ts'

/** The states in the label `state` */
export const CIRCUIT_STATES = ['closed', 'half_open', 'open'] as const

export type CircuitStateName = (typeof CIRCUIT_STATES)[number]

/** Reports the state of a circuit whenever the metrics are read. */
export function watchCircuit(metrics: Metrics | undefined, circuit: string, state: () => CircuitStateName): void {
  metrics?.watch('tawthiq_circuit_state', () => {
    const current = state()
    return CIRCUIT_STATES.map((each) => ({ labels: { circuit, state: each }, value: each === current ? 1 : 0 }))
  })
}
