import type { Catalogue, CodeKey } from '../catalogue.ts'

/**
 * Messages with a code. Each is one SMS. `{resend}` differs each time that a code is sent again, because some providers drop
 * repeated texts. Calls say `otp_prompt`, and after the key `{key}` the digits of the code one by one.
 */
export const codes: Pick<Catalogue, CodeKey> = {
  otp_sent: 'A verification code was sent by SMS.',
  otp_sent_whatsapp: 'A verification code was sent by WhatsApp.',
  otp_sent_voice: 'We are calling you with a verification code.',
  otp_text:
    'Your Tawthiq verification code is {code}. It is valid for {minutes:minute}. It confirms your phone number. Do not share it with anyone.{resend}',
  reset_otp_text:
    'Your Tawthiq code for a NEW PASSWORD is {code}. It is valid for {minutes:minute}. Do not share it with anyone. We will never ask you for it.{resend}',
  otp_prompt: 'This is Tawthiq, with the code that confirms your phone number. To hear the code, press {key}.',
  otp_speech: 'Your Tawthiq verification code is: {digits}. Again: {digits}. Do not share it with anyone.',
}
