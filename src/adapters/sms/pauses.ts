import type { Clock } from '../../domain/clock.ts'
import type { ConversionState } from '../../domain/phones/conversion.ts'
import type { Channel } from '../../domain/phones/sms.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { CIRCUIT_STATES } from '../resilience/circuit-metrics.ts'

/** A channel and a country, in which a provider can be paused */
export type SmsRoute = Readonly<{ channel: Channel; callingCode: string }>

export type ProviderCircuit = Readonly<{
  provider: string
  channel: string
  callingCode: string
  state: ConversionState
}>

/** Providers that are paused because their messages do not arrive */
export type ProviderPauses = {
  /**
   * Returns the providers in the order in which they are tried: paused ones are last, so that a pause never prevents a
   * message.
   */
  order<Provider extends { name: string }>(providers: readonly Provider[], route: SmsRoute): readonly Provider[]
}

export const NO_PAUSES: ProviderPauses = { order: (providers) => providers }

/** Messages per minute with which this process tests a provider after a pause */
const TRIALS_PER_MINUTE = 5
const MINUTE_MS = 60_000

type Trials = { left: number; untilMs: number }

/** Creates the pauses of this process. `update` replaces what is known of the providers. */
export function providerPauses(
  clock: Pick<Clock, 'nowMs'>,
  metrics?: Metrics,
): ProviderPauses & { update(circuits: readonly ProviderCircuit[]): void } {
  let states = new Map<string, ConversionState>()
  const trials = new Map<string, Trials>()
  metrics?.watch('tawthiq_circuit_state', () =>
    [...states].flatMap(([name, current]) =>
      CIRCUIT_STATES.map((state) => ({
        labels: { circuit: `sms_delivery_${name}`, state },
        value: state === current ? 1 : 0,
      })),
    ),
  )
  const takeTrial = (name: string): boolean => {
    const nowMs = clock.nowMs()
    const known = trials.get(name)
    const current = known && nowMs < known.untilMs ? known : { left: TRIALS_PER_MINUTE, untilMs: nowMs + MINUTE_MS }
    trials.set(name, { ...current, left: Math.max(0, current.left - 1) })
    return current.left > 0
  }
  return {
    order(providers, route) {
      if (providers.length < 2 || states.size === 0) return providers
      const used: (typeof providers)[number][] = []
      const paused: (typeof providers)[number][] = []
      for (const provider of providers) {
        const name = nameOf({ provider: provider.name, ...route })
        const state = states.get(name) ?? 'closed'
        // one that follows others is tried only if they reject the message
        const isUsed = state === 'closed' || (state === 'half_open' && (used.length > 0 || takeTrial(name)))
        ;(isUsed ? used : paused).push(provider)
      }
      return [...used, ...paused]
    },
    update(circuits) {
      states = new Map(circuits.map((circuit) => [nameOf(circuit), circuit.state]))
    },
  }
}

function nameOf({ provider, channel, callingCode }: Omit<ProviderCircuit, 'state'>): string {
  return `${provider}_${channel}_${callingCode}`
}
