import type { Catalogue, CodeKey } from '../catalogue.ts'

/** Messages with a code. Calls speak `{digits}`, the digits of the code one by one. */
export const codes: Pick<Catalogue, CodeKey> = {
  otp_sent: 'تم إرسال رمز التحقق في رسالة نصية.',
  otp_sent_whatsapp: 'تم إرسال رمز التحقق عبر واتساب.',
  otp_sent_voice: 'سنتصل بك لإبلاغك برمز التحقق.',
  otp_text: 'رمز التحقق في توثيق: {code}. صالح لمدة {minutes:minute}. لا تشاركه.',
  reset_otp_text:
    'رمز تعيين كلمة مرور جديدة في توثيق: {code}. صالح لمدة {minutes:minute}. لا تشاركه مع أحد، ولن نطلبه منك أبداً.',
  otp_speech: 'رمز التحقق في توثيق هو: {digits}. مرة أخرى: {digits}. لا تشاركه مع أحد.',
  reset_otp_speech:
    'رمز تعيين كلمة مرور جديدة في توثيق هو: {digits}. مرة أخرى: {digits}. لا تشاركه مع أحد، ولن نطلبه منك أبداً.',
}
