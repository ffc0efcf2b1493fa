import type { Catalogue, CodeKey } from '../catalogue.ts'

/** Messages with a code. Calls speak `{digits}`, the digits of the code one by one. */
export const codes: Pick<Catalogue, CodeKey> = {
  otp_sent: 'A verification code was sent by SMS.',
  otp_sent_whatsapp: 'A verification code was sent by WhatsApp.',
  otp_sent_voice: 'We are calling you with a verification code.',
  otp_text: 'Your Tawthiq verification code is {code}. It is valid for {minutes:minute}. Do not share it with anyone.',
  reset_otp_text:
    'Your Tawthiq code for a NEW PASSWORD is {code}. It is valid for {minutes:minute}. Do not share it with anyone. We will never ask you for it.',
  otp_speech: 'Your Tawthiq verification code is: {digits}. Again: {digits}. Do not share it with anyone.',
  reset_otp_speech:
    'Your Tawthiq code for a new password is: {digits}. Again: {digits}. Do not share it with anyone. We will never ask you for it.',
}
