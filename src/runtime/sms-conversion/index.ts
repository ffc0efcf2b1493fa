import { NO_PAUSES, providerPauses, type ProviderPauses } from '../../adapters/sms/pauses.ts'
import type { RecordSms } from '../../adapters/sms/decorators.ts'
import type { SmsConfig } from '../../config/sms/index.ts'
import { listSmsProviders } from '../../config/sms/providers.ts'
import { evaluateConversion, PAUSE_SECONDS } from '../../domain/phones/conversion.ts'
import { firstFailureLog } from '../../lib/log.ts'
import { NO_METRICS } from '../../lib/metrics.ts'
import type { MessageCircuit } from '../../store/sms/rows.ts'
import { smsRecorder, type ConversionDependencies } from './recorder.ts'

const FLUSH_MS = 1000
const EVALUATE_MS = 3000

export type SmsConversion = {
  pauses: ProviderPauses
  /** Records a message that a provider has received; undefined if no message is sent */
  sent: RecordSms | undefined
  /** Records the verification of a confirmed code */
  confirmed: ((windowId: string) => void) | undefined
  /** Stores all records, and evaluates the providers now. */
  evaluate(): Promise<void>
  /** Stores all records and ends. */
  stop(): Promise<void>
}

/** What happens without a provider: nothing is recorded. */
const NOTHING: SmsConversion = {
  pauses: NO_PAUSES,
  sent: undefined,
  confirmed: undefined,
  evaluate: () => Promise.resolve(),
  stop: () => Promise.resolve(),
}

/**
 * Records messages and their confirmations, and pauses providers whose messages do not arrive. Every instance evaluates by
 * the database, so that all have the same pauses.
 */
export async function startSmsConversion(
  config: Pick<SmsConfig, 'providers' | 'countryProviders'>,
  dependencies: ConversionDependencies,
): Promise<SmsConversion> {
  const providers = listSmsProviders(config)
  if (providers.every(({ kind }) => kind === 'log')) return NOTHING
  const withReceipts = providers.filter(({ receipts }) => receipts).map(({ name }) => name)
  const { clock, log, metrics } = dependencies
  const recorder = smsRecorder(dependencies)
  const pauses = providerPauses(clock, metrics)
  const evaluateOnce = async (): Promise<void> => {
    const update = pauses.beginUpdate()
    await recorder.flush()
    update(await evaluate(withReceipts, dependencies))
  }
  const tryToEvaluate = firstFailureLog(log, 'SMS providers could not be evaluated by their deliveries')
  let evaluating = Promise.resolve()
  const evaluateSafely = (): Promise<void> => (evaluating = evaluating.then(() => tryToEvaluate(evaluateOnce)))
  await evaluateSafely() // so that a restart keeps the pauses
  const timers = [
    setInterval(() => void recorder.flush(), FLUSH_MS).unref(),
    setInterval(() => void evaluateSafely(), EVALUATE_MS).unref(),
  ]
  return {
    pauses,
    sent: (message) => {
      if (message.provider === 'log') return
      pauses.sent(message)
      recorder.sent(message)
    },
    confirmed: recorder.confirmed,
    async evaluate() {
      await recorder.flush(true)
      await evaluateSafely()
    },
    async stop() {
      timers.forEach(clearInterval)
      await Promise.all([recorder.flush(true), evaluating])
    },
  }
}

/** Pauses providers and ends pauses. Returns the states after that. */
async function evaluate(
  withReceipts: readonly string[],
  dependencies: ConversionDependencies,
): Promise<MessageCircuit[]> {
  const { smsMessages } = dependencies
  const circuits = await smsMessages.circuits(withReceipts)
  let hasChanged = false
  for (const circuit of circuits) hasChanged = (await evaluateCircuit(circuit, dependencies)) || hasChanged
  return hasChanged ? smsMessages.circuits(withReceipts) : circuits
}

/** Resolves to whether the state may have changed. Another instance can have changed it first. */
async function evaluateCircuit(
  circuit: MessageCircuit,
  { smsMessages, log, metrics = NO_METRICS }: ConversionDependencies,
): Promise<boolean> {
  const change = evaluateConversion(circuit.state, circuit)
  if (!change) return false
  const { provider, channel, callingCode } = circuit
  const about = { provider, channel, callingCode }
  if (change.next === 'closed') {
    if (await smsMessages.resume(circuit)) log.warn(about, 'SMS provider delivers again')
    return true
  }
  const { reason } = change
  if (await smsMessages.pause(circuit, PAUSE_SECONDS)) {
    log.warn({ ...about, reason, seconds: PAUSE_SECONDS }, 'SMS provider is paused, because its messages do not arrive')
    metrics.count('tawthiq_sms_pauses_total', { provider, calling_code: callingCode, reason })
  }
  return true
}
