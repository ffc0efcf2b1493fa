import type { Catalogue, WebhookKey } from '../catalogue.ts'

/** Messages about events, and to SMS providers that send receipts */
export const webhooks: Pick<Catalogue, WebhookKey> = {
  events_read: 'تم جلب الأحداث.',
  events_replayed: 'ستُرسل الأحداث مرة أخرى.',
  events_unavailable: 'لم يتم إعداد عنوان لإرسال الأحداث.',
  sms_receipt_stored: 'تم حفظ حالة التسليم.',
  signature_wrong: 'توقيع الطلب مفقود أو غير صحيح.',
  sms_provider_unknown: 'مزود الرسائل النصية غير موجود، أو لم يتم إعداد إشعارات التسليم الخاصة به.',
}
