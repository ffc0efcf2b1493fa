import type { Clock } from '../../domain/clock.ts'
import { isWaitedFor, type ConversionState } from '../../domain/phones/conversion.ts'
import type { SentMessage } from '../../domain/phones/sms.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { circuitSamples } from '../resilience/circuit.ts'

type ProviderCircuit = Readonly<{
  provider: string
  channel: string
  callingCode: string
  state: ConversionState
  /** The networks of the messages since the last one that is known to have arrived */
  waiting: readonly string[]
}>

type Attempt = Readonly<{ provider: Readonly<{ name: string }>; channel: string }>

/** Providers that are paused because their messages do not arrive, or that have many messages without a sign of arrival */
export type ProviderPauses = {
  /**
   * Returns attempts, of any channels, in the order in which they are tried. Those with many messages that may not arrive follow
   * the others and alternate, and paused ones are last, so that neither prevents a message.
   */
  order<Each extends Attempt>(attempts: readonly Each[], callingCode: string): readonly Each[]
}

export const NO_PAUSES: ProviderPauses = { order: (attempts) => attempts }

/** Messages per minute with which this process tests a provider after a pause */
const TRIALS_PER_MINUTE = 5
const MINUTE_MS = 60_000

type ProcessPauses = ProviderPauses & {
  /** Counts a message that is not stored yet. Notices have no code that tells of their arrival. */
  sent(message: Pick<SentMessage, 'provider' | 'channel' | 'callingCode' | 'purpose' | 'network'>): void
  /** Begins to read the circuits. The result replaces what is known, except of messages that were sent since the beginning. */
  beginUpdate(): (circuits: readonly ProviderCircuit[]) => void
}

export function providerPauses(clock: Pick<Clock, 'nowMs'>, metrics?: Metrics): ProcessPauses {
  let circuits = new Map<string, ProviderCircuit>()
  let unstored: Readonly<{ name: string; network: string }>[] = []
  const takeTrial = trialsOf(clock)
  metrics?.watch('tawthiq_circuit_state', () =>
    [...circuits].flatMap(([name, { state }]) => circuitSamples(`sms_delivery_${name}`, state)),
  )
  const waitingFor = (name: string): readonly string[] => {
    const own = unstored.filter((each) => each.name === name).map(({ network }) => network)
    return [...own, ...(circuits.get(name)?.waiting ?? [])]
  }
  return {
    order(attempts, callingCode) {
      if (attempts.length < 2) return attempts
      let isFollowing = false
      const ranked = attempts.map((attempt) => {
        const name = nameOf({ provider: attempt.provider.name, channel: attempt.channel, callingCode })
        const state = circuits.get(name)?.state ?? 'closed'
        // one that follows others is tried only if they reject the message
        const isTried = state === 'closed' || (state === 'half_open' && (isFollowing || takeTrial(name)))
        if (!isTried) return { attempt, rank: Number.MAX_SAFE_INTEGER }
        const networks = waitingFor(name)
        if (isWaitedFor(networks)) return { attempt, rank: networks.length }
        isFollowing = true
        return { attempt, rank: 0 }
      })
      return ranked.sort((one, other) => one.rank - other.rank).map(({ attempt }) => attempt)
    },
    sent({ purpose, network, ...route }) {
      if (purpose !== 'notice') unstored.push({ name: nameOf(route), network })
    },
    beginUpdate() {
      const stored = unstored.length
      return (read) => {
        circuits = new Map(read.map((circuit) => [nameOf(circuit), circuit]))
        unstored = unstored.slice(stored)
      }
    },
  }
}

/** Returns a function that takes one of the few messages per minute that test a provider, if any is left. */
function trialsOf({ nowMs }: Pick<Clock, 'nowMs'>): (name: string) => boolean {
  const trials = new Map<string, { left: number; untilMs: number }>()
  return (name) => {
    const known = trials.get(name)
    const current = known && nowMs() < known.untilMs ? known : { left: TRIALS_PER_MINUTE, untilMs: nowMs() + MINUTE_MS }
    trials.set(name, { ...current, left: Math.max(0, current.left - 1) })
    return current.left > 0
  }
}

function nameOf({ provider, channel, callingCode }: Omit<ProviderCircuit, 'state' | 'waiting'>): string {
  return `${provider}_${channel}_${callingCode}`
}
