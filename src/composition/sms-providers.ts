import type { Outbox } from '../adapters/outbox.ts'
import type { ProviderOrder } from '../adapters/sms/failover.ts'
import type { KeyPresses } from '../adapters/sms/key-presses.ts'
import type { SmsProvider } from '../adapters/sms/index.ts'
import { tracedProvider, withWebOtp } from '../adapters/sms/decorators.ts'
import { withRejectionLog, type ReceiptReader, type ReceiptReaders } from '../adapters/sms/receipts.ts'
import type { SmsConfig } from '../config/sms/index.ts'
import { listSmsProviders, type SmsProviderConfig } from '../config/sms/providers.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'

type Tools = Readonly<{ outbox: Outbox; keyPresses: KeyPresses; observers: Observers }>
type Ordered = Pick<SmsConfig, 'providers' | 'countryProviders' | 'webOtpHost'>

/**
 * Creates the configured providers, each once, so that all countries share its circuit breaker. Their clients are loaded
 * only if they are used.
 */
export async function buildProviderOrder(
  { providers, countryProviders, webOtpHost }: Ordered,
  { outbox, keyPresses, observers }: Tools,
): Promise<ProviderOrder> {
  const built = new Map<string, Promise<SmsProvider>>()
  const build = (config: SmsProviderConfig): Promise<SmsProvider> => {
    const found = built.get(config.name)
    if (found) return found
    const decorate = (each: SmsProvider): SmsProvider => withWebOtp(webOtpHost, tracedProvider(each, observers.tracer))
    const provider = buildProvider(config, { outbox, keyPresses, observers }).then(decorate)
    built.set(config.name, provider)
    return provider
  }
  const byCountry = [...countryProviders].map(
    async ([callingCode, list]) => [callingCode, await Promise.all(list.map(build))] as const,
  )
  return { default: await Promise.all(providers.map(build)), byCountry: new Map(await Promise.all(byCountry)) }
}

async function buildProvider(
  config: SmsProviderConfig,
  { outbox, keyPresses, observers }: Tools,
): Promise<SmsProvider> {
  switch (config.kind) {
    case 'log':
      return outbox.sms
    case 'webhook':
      return (await import('../adapters/sms/providers/webhook.ts')).webhookProvider(config.url, config, observers)
    case 'twilio': {
      const { voice: { from = '' } = {}, receipts } = config
      const webhooks = receipts && `${receipts.url}/api/v1/webhooks`
      const voice =
        config.voice && webhooks !== undefined ? { from, keyPresses, url: `${webhooks}/voice/twilio` } : undefined
      const statusCallback = webhooks === undefined ? undefined : `${webhooks}/sms/twilio`
      const { twilioProvider } = await import('../adapters/sms/providers/twilio.ts')
      return twilioProvider({ ...config, voice, statusCallback }, observers)
    }
    case 'unifonic':
      return (await import('../adapters/sms/providers/unifonic.ts')).unifonicProvider(config, observers)
    case 'taqnyat':
      return (await import('../adapters/sms/providers/taqnyat.ts')).taqnyatProvider(config, observers)
  }
}

/** Creates the readers of the providers whose receipts are configured. */
export async function buildReceiptReaders(
  config: Pick<SmsConfig, 'providers' | 'countryProviders'>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<ReceiptReaders> {
  const readers = listSmsProviders(config).map(async (provider): Promise<[string, ReceiptReader][]> => {
    const { name, receipts } = provider
    const reader = await buildReceiptReader(provider, clock)
    if (!reader || !receipts) return []
    return [[name, withRejectionLog(reader, { provider: name, variables: receipts.variables }, { clock, log })]]
  })
  return new Map((await Promise.all(readers)).flat())
}

async function buildReceiptReader(config: SmsProviderConfig, clock: Clock): Promise<ReceiptReader | undefined> {
  if (!config.receipts) return undefined
  switch (config.kind) {
    case 'webhook':
      return (await import('../adapters/sms/providers/webhook.ts')).webhookReceipts(config.receipts, clock)
    case 'twilio':
      return (await import('../adapters/sms/providers/twilio.ts')).twilioReceipts(config.receipts)
    case 'unifonic':
      return (await import('../adapters/sms/providers/unifonic.ts')).unifonicReceipts(config.receipts)
    case 'taqnyat':
      return (await import('../adapters/sms/providers/taqnyat.ts')).taqnyatReceipts(config.receipts)
  }
}
