import type { Channel, Language } from '../../../domain/phones/sms.ts'
import type { Observers } from '../../../lib/observers.ts'
import type { KeyPresses } from '../calls/key-presses.ts'
import { SmsRefused, type SmsMessage, type SmsProvider } from '../index.ts'
import { twilioResource, type TwilioAccount } from './twilio-api.ts'

export type TwilioOptions = TwilioAccount &
  Readonly<{
    /** A phone number, an alphanumeric sender ID, or the SID of a messaging service (`MG…`) */
    from: string
    /** Undefined: no messages by WhatsApp. `from` is a phone number or a messaging service. */
    whatsapp?: Readonly<{ from: string; contentSids: Readonly<Record<Language, string>> }> | undefined
    /** Undefined: no calls. `from` is a phone number. Pressed keys are posted to `url`. */
    voice?: Readonly<{ from: string; url: string; keyPresses: KeyPresses }> | undefined
  }>

/** Sends through Twilio: SMS, and WhatsApp messages and calls if they are configured. */
export function twilioProvider(
  { from, whatsapp, voice, ...account }: TwilioOptions,
  observers?: Partial<Observers>,
): SmsProvider {
  const byChannel = new Map<Channel, SmsProvider>([['sms', smsOf(account, from, observers)]])
  if (whatsapp) byChannel.set('whatsapp', whatsappOf(account, whatsapp, observers))
  if (voice) byChannel.set('voice', callsOf(account, voice, observers))
  return {
    name: 'twilio',
    channels: new Set(byChannel.keys()),
    async send(message, timeoutMs) {
      const provider = byChannel.get(message.channel)
      if (!provider) throw new SmsRefused(`Twilio is not configured for the channel ${message.channel}.`)
      return provider.send(message, timeoutMs)
    },
  }
}

/** @see https://www.twilio.com/docs/messaging/api/message-resource */
function smsOf(account: TwilioAccount, from: string, observers?: Partial<Observers>): SmsProvider {
  const sender = toSender(from)
  const toForm = ({ to, text }: SmsMessage): Record<string, string> => ({ To: to, ...sender, Body: text })
  return twilioResource({ account, name: 'twilio', path: 'Messages.json', toForm }, observers)
}

/**
 * Sends an authentication template: WhatsApp defines its text, and the code is its only variable.
 *
 * @see https://www.twilio.com/docs/content/whatsappauthentication
 */
function whatsappOf(
  account: TwilioAccount,
  { from, contentSids }: NonNullable<TwilioOptions['whatsapp']>,
  observers?: Partial<Observers>,
): SmsProvider {
  const sender = toSender(from, 'whatsapp:')
  const toForm = ({ to, language, code = '' }: SmsMessage): Record<string, string> => ({
    To: `whatsapp:${to}`,
    ...sender,
    ContentSid: contentSids[language],
    ContentVariables: JSON.stringify({ 1: code }),
  })
  return twilioResource({ account, name: 'twilio_whatsapp', path: 'Messages.json', toForm }, observers)
}

/**
 * Calls the number, and reads the text aloud after a key was pressed.
 *
 * @see https://www.twilio.com/docs/voice/api/call-resource
 */
function callsOf(
  account: TwilioAccount,
  { from, url, keyPresses }: NonNullable<TwilioOptions['voice']>,
  observers?: Partial<Observers>,
): SmsProvider {
  const toForm = (message: SmsMessage): Record<string, string> => ({
    To: message.to,
    From: from,
    Twiml: keyPresses.ask(message, url),
  })
  return twilioResource({ account, name: 'twilio_voice', path: 'Calls.json', toForm }, observers)
}

function toSender(from: string, prefix = ''): Record<string, string> {
  return /^MG[0-9a-f]{32}$/.test(from) ? { MessagingServiceSid: from } : { From: `${prefix}${from}` }
}
