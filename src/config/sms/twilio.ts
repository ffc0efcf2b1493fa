import type { serverVariables } from '../server.ts'
import { secret, text, webAddress, type OptionalText, type ProviderKind, type Values } from '../variable-kinds.ts'

const PHONE_NUMBER = '\\+[1-9][0-9]{6,14}'
const MESSAGING_SERVICE = 'MG[0-9a-f]{32}'

/** Variables of the provider `twilio`. Its receipts are signed with TWILIO_AUTH_TOKEN. */
export const twilioVariables = {
  TWILIO_ACCOUNT_SID: text({
    about: 'Account of the provider `twilio`. Required with it.',
    accepts: 'AC and 32 hexadecimal digits',
    pattern: '^AC[0-9a-f]{32}$',
  }),
  TWILIO_AUTH_TOKEN: secret('Token of TWILIO_ACCOUNT_SID. Required with `twilio`.'),
  TWILIO_FROM: text({
    about: 'Sender of the provider `twilio`. Required with it.',
    accepts: 'a phone number in E.164, a sender ID, or the SID of a messaging service (MG…)',
    pattern: `^(${PHONE_NUMBER}|${MESSAGING_SERVICE}|[A-Za-z0-9 ]{1,11}|[0-9]{3,8})$`,
  }),
  TWILIO_API_URL: webAddress({
    about: 'Origin of the API of Twilio, for example of another region.',
    default: 'https://api.twilio.com',
  }),
  TWILIO_WHATSAPP_FROM: text({
    about: 'WhatsApp sender of the provider `twilio`. Without it, `twilio` does not offer WhatsApp.',
    accepts: 'a phone number in E.164, or the SID of a messaging service (MG…)',
    pattern: `^(${PHONE_NUMBER}|${MESSAGING_SERVICE})$`,
  }),
  TWILIO_WHATSAPP_CONTENT_SID_AR: contentSid('Arabic'),
  TWILIO_WHATSAPP_CONTENT_SID_EN: contentSid('English'),
  TWILIO_VOICE_FROM: text({
    about: 'Caller of the provider `twilio`. Without it or PUBLIC_URL, `twilio` does not offer calls.',
    accepts: 'a phone number in E.164',
    pattern: `^${PHONE_NUMBER}$`,
  }),
}

export const twilio = {
  required: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  parse(given) {
    const { TWILIO_ACCOUNT_SID: accountSid = '', TWILIO_AUTH_TOKEN: authToken = '', TWILIO_FROM: from = '' } = given
    const { TWILIO_WHATSAPP_FROM: sender, TWILIO_VOICE_FROM: caller } = given
    const { TWILIO_WHATSAPP_CONTENT_SID_AR: ar = '', TWILIO_WHATSAPP_CONTENT_SID_EN: en = '' } = given
    const url = given.PUBLIC_URL?.replace(/\/+$/, '')
    return {
      kind: 'twilio',
      name: 'twilio',
      apiUrl: given.TWILIO_API_URL,
      accountSid,
      authToken,
      from,
      /** Undefined: no messages by WhatsApp */
      whatsapp: sender === undefined ? undefined : { from: sender, contentSids: { ar, en } },
      /** Undefined: no calls. Without receipts, which need the same URL as pressed keys, it makes none either. */
      voice: caller === undefined ? undefined : { from: caller },
      /** `url` is the public one of the service, without a slash at the end */
      receipts: url === undefined ? undefined : { authToken, url, variables: ['TWILIO_AUTH_TOKEN', 'PUBLIC_URL'] },
    } as const
  },
  problems({ TWILIO_WHATSAPP_FROM: sender }, missing) {
    const templates = ['TWILIO_WHATSAPP_CONTENT_SID_AR', 'TWILIO_WHATSAPP_CONTENT_SID_EN'] as const
    return sender === undefined ? [] : templates.flatMap((name) => missing(name, 'TWILIO_WHATSAPP_FROM is set.'))
  },
} satisfies ProviderKind<Values<typeof twilioVariables & Pick<typeof serverVariables, 'PUBLIC_URL'>>>

function contentSid(language: string): OptionalText {
  return text({
    about: `Authentication template of WhatsApp in ${language}. Required with TWILIO_WHATSAPP_FROM.`,
    accepts: 'HX and 32 hexadecimal digits',
    pattern: '^HX[0-9a-f]{32}$',
  })
}
