import {
  Type,
  type Static,
  type TArray,
  type TLiteral,
  type TObject,
  type TString,
  type TUnion,
} from '@sinclair/typebox'
import { CHANNELS, type Channel } from '../../domain/phones/sms.ts'
import { list, text } from '../variable-kinds.ts'
import type { SmsProviderName } from './provider-names.ts'

/** Variables of the channels by which providers send. */
export const channelVariables = {
  SMS_WEBHOOK_CHANNELS: Type.Optional(channels('SMS_WEBHOOK_URL')),
  SMS_WEBHOOK2_CHANNELS: Type.Optional(channels('SMS_WEBHOOK2_URL')),
  SMS_WEBHOOK3_CHANNELS: Type.Optional(channels('SMS_WEBHOOK3_URL')),
  TWILIO_WHATSAPP_FROM: Type.Optional(
    text(
      {
        about: 'WhatsApp sender of the provider `twilio`. Without it, `twilio` does not offer WhatsApp.',
        accepts: 'a phone number in E.164, or the SID of a messaging service (MG…)',
        shown: 'none',
      },
      '^(\\+[1-9][0-9]{6,14}|MG[0-9a-f]{32})$',
    ),
  ),
  TWILIO_WHATSAPP_CONTENT_SID_AR: Type.Optional(contentSid('Arabic')),
  TWILIO_WHATSAPP_CONTENT_SID_EN: Type.Optional(contentSid('English')),
  TWILIO_VOICE_FROM: Type.Optional(
    text(
      {
        about: 'Caller of the provider `twilio`. Without it or PUBLIC_URL, `twilio` does not offer calls.',
        accepts: 'a phone number in E.164',
        shown: 'none',
      },
      '^\\+[1-9][0-9]{6,14}$',
    ),
  ),
}

type Given = Static<TObject<typeof channelVariables>>

/** What Twilio sends by besides SMS; undefined where it is not configured */
export type TwilioChannels = Readonly<{
  whatsapp: Readonly<{ from: string; contentSids: Readonly<{ ar: string; en: string }> }> | undefined
  /** Without a URL to which Twilio posts pressed keys, it makes no calls */
  voice: Readonly<{ from: string; publicUrl: string | undefined }> | undefined
}>

/** Missing templates were rejected before. */
export function parseTwilioChannels(given: Partial<Given & { PUBLIC_URL: string }>): TwilioChannels {
  const { TWILIO_WHATSAPP_FROM: from, TWILIO_VOICE_FROM: caller, PUBLIC_URL: publicUrl } = given
  const { TWILIO_WHATSAPP_CONTENT_SID_AR: ar = '', TWILIO_WHATSAPP_CONTENT_SID_EN: en = '' } = given
  return {
    whatsapp: from === undefined ? undefined : { from, contentSids: { ar, en } },
    voice: caller === undefined ? undefined : { from: caller, publicUrl },
  }
}

/** The variables of the channels of webhooks, by the name of the provider */
const WEBHOOKS = {
  webhook: 'SMS_WEBHOOK_CHANNELS',
  webhook2: 'SMS_WEBHOOK2_CHANNELS',
  webhook3: 'SMS_WEBHOOK3_CHANNELS',
} as const

/** Returns the channels of a webhook. */
export function channelsOf(name: keyof typeof WEBHOOKS, given: Partial<Given>): ReadonlySet<Channel> {
  return new Set(given[WEBHOOKS[name]] ?? ['sms'])
}

/**
 * Lists templates that are missing, and lists of providers of which none sends SMS: other channels fall back to SMS, and
 * notices are SMS.
 *
 * @param lists the lists of providers by the name of their variable
 */
export function channelProblems(
  lists: ReadonlyMap<string, readonly SmsProviderName[]>,
  given: Partial<Given>,
  missing: (name: keyof Given, why: string) => string[],
): string[] {
  const sendsSms = (name: SmsProviderName): boolean => !isWebhook(name) || channelsOf(name, given).has('sms')
  const usesWhatsApp = given.TWILIO_WHATSAPP_FROM !== undefined && [...lists.values()].flat().includes('twilio')
  const templates = ['TWILIO_WHATSAPP_CONTENT_SID_AR', 'TWILIO_WHATSAPP_CONTENT_SID_EN'] as const
  return [
    ...(usesWhatsApp ? templates.flatMap((name) => missing(name, 'TWILIO_WHATSAPP_FROM is set.')) : []),
    ...[...lists].flatMap(([variable, names]) =>
      names.some(sendsSms) ? [] : [`${variable}: none of the providers sends SMS. Add sms to the channels of one.`],
    ),
  ]
}

function isWebhook(name: SmsProviderName): name is keyof typeof WEBHOOKS {
  return name in WEBHOOKS
}

function channels(url: string): TArray<TUnion<TLiteral<Channel>[]>> {
  return list(Type.Union(CHANNELS.map((channel) => Type.Literal(channel))), {
    about: `Channels that ${url} sends by.`,
    accepts: `a list of ${CHANNELS.join(', ')}`,
    shown: 'sms',
  })
}

function contentSid(language: string): TString {
  return text(
    {
      about: `Authentication template of WhatsApp in ${language}. Required with TWILIO_WHATSAPP_FROM.`,
      accepts: 'HX and 32 hexadecimal digits',
      shown: 'none',
    },
    '^HX[0-9a-f]{32}$',
  )
}
