import type { Catalogue, CodeKey } from '../catalogue.ts'

/**
 * Messages with a code. Each is one SMS. `{resend}` differs each time that a code is sent again, because some providers drop
 * repeated texts. Calls say `otp_prompt`, and after the key `{key}` the digits of the code one by one.
 */
export const codes: Pick<Catalogue, CodeKey> = {
  otp_sent: 'تم إرسال رمز التحقق في رسالة نصية.',
  otp_sent_whatsapp: 'تم إرسال رمز التحقق عبر واتساب.',
  otp_sent_voice: 'سنتصل بك لإبلاغك برمز التحقق.',
  otp_text: 'رمز تأكيد جوالك في توثيق: {code}. صالح لمدة {minutes:minute}. لا تشاركه.{resend}',
  reset_otp_text: 'توثيق: {code} رمز كلمة مرور جديدة. صالح لمدة {minutes:minute}. لا تشاركه.{resend}',
  otp_prompt: 'مكالمة من توثيق لإبلاغك برمز تأكيد جوالك. للاستماع إلى الرمز، اضغط {key}.',
  otp_speech: 'رمز التحقق في توثيق هو: {digits}. مرة أخرى: {digits}. لا تشاركه مع أحد.',
}
