import type { Catalogue, PhoneKey } from '../catalogue.ts'

/** Messages about invalid phone numbers */
export const phones: Pick<Catalogue, PhoneKey> = {
  phone_invalid: 'رقم الجوال غير صحيح.',
  phone_not_mobile: 'يجب أن يكون الرقم رقم جوال.',
  phone_type_not_allowed: 'لا يمكن إرسال رموز التحقق إلى هذا النوع من الأرقام.',
  phone_code_unknown: 'رمز الدولة غير معروف.',
  phone_code_mismatch: 'رقم الجوال لا يتبع رمز الدولة المختار.',
  country_not_served: 'لا يمكن إرسال الرسائل النصية إلى هذه الدولة.',
  channel_not_offered: 'لا يمكن إرسال الرموز إلى هذه الدولة بهذه الطريقة.',
  phone_taken: 'رقم الجوال مسجل مسبقاً.',
}
