import type { Outbox } from '../../adapters/outbox.ts'
import type { ProviderOrder } from '../../adapters/sms/attempts.ts'
import type { KeyPresses } from '../../adapters/sms/calls/key-presses.ts'
import type { SmsProvider } from '../../adapters/sms/index.ts'
import { withWebOtp } from '../../adapters/sms/web-otp.ts'
import { tracedProvider } from '../../adapters/tracing/sms.ts'
import type { SmsConfig } from '../../config/sms/index.ts'
import type { SmsProviderConfig } from '../../config/sms/providers.ts'
import type { ReceiptsConfig } from '../../config/sms/receipts.ts'
import type { Observers } from '../../lib/observers.ts'

type Tools = Readonly<{ outbox: Outbox; keyPresses: KeyPresses; observers: Observers }>
type Ordered = Pick<SmsConfig, 'providers' | 'countryProviders' | 'receipts' | 'webOtpHost'>

/**
 * Creates the configured providers, each once, so that all countries share its circuit breaker. Their clients are loaded
 * only if they are used.
 */
export async function buildProviderOrder(
  { providers, countryProviders, receipts, webOtpHost }: Ordered,
  { outbox, keyPresses, observers }: Tools,
): Promise<ProviderOrder> {
  const built = new Map<string, Promise<SmsProvider>>()
  const build = (config: SmsProviderConfig): Promise<SmsProvider> => {
    const name = config.kind === 'webhook' ? config.name : config.kind
    const found = built.get(name)
    if (found) return found
    const decorate = (each: SmsProvider): SmsProvider => withWebOtp(webOtpHost, tracedProvider(each, observers.tracer))
    const provider = buildProvider(config, { outbox, receipts, keyPresses }, observers).then(decorate)
    built.set(name, provider)
    return provider
  }
  const byCountry = [...countryProviders].map(
    async ([callingCode, list]) => [callingCode, await Promise.all(list.map(build))] as const,
  )
  return { default: await Promise.all(providers.map(build)), byCountry: new Map(await Promise.all(byCountry)) }
}

async function buildProvider(
  config: SmsProviderConfig,
  { outbox, receipts, keyPresses }: Omit<Tools, 'observers'> & { receipts: ReceiptsConfig },
  observers: Observers,
): Promise<SmsProvider> {
  switch (config.kind) {
    case 'log':
      return outbox.sms
    case 'webhook':
      return (await import('../../adapters/sms/providers/webhook.ts')).webhookProvider(config.url, config, observers)
    case 'twilio': {
      const { from = '', publicUrl } = config.voice ?? {}
      const voice = publicUrl === undefined ? undefined : { from, keyPresses, url: toKeyPressUrl(publicUrl) }
      return (await import('../../adapters/sms/providers/twilio.ts')).twilioProvider(
        { ...config, voice, statusCallback: twilioCallback(receipts) },
        observers,
      )
    }
    case 'unifonic':
      return (await import('../../adapters/sms/providers/unifonic.ts')).unifonicProvider(config, observers)
    case 'taqnyat':
      return (await import('../../adapters/sms/providers/taqnyat.ts')).taqnyatProvider(config, observers)
  }
}

/** Returns the URL to which Twilio posts the keys that are pressed in calls. */
function toKeyPressUrl(publicUrl: string): string {
  return publicUrl.replace(/\/+$/, '') + '/api/v1/webhooks/voice/twilio'
}

/** Returns the URL to which Twilio sends receipts; undefined if it sends none. */
function twilioCallback(receipts: ReceiptsConfig): string | undefined {
  const config = receipts.get('twilio')
  return config?.kind === 'twilio' ? config.url + '/api/v1/webhooks/sms/twilio' : undefined
}
