import type { Catalogue, IdempotencyErrorKey } from '../catalogue.ts'

/** Rejections of a request because of its Idempotency-Key */
export const idempotency: Pick<Catalogue, IdempotencyErrorKey> = {
  idempotency_in_progress: 'يجري تنفيذ طلب آخر بالمفتاح Idempotency-Key نفسه. حاول مرة أخرى بعد لحظات.',
  idempotency_outcome_unknown: 'ربما أُرسلت رسالة من قبل. انتظر وصولها أو اطلب رسالة أخرى.',
  idempotency_session_ended: 'تم إنشاء حسابك. سجّل الدخول.',
  idempotency_key_reused: 'استُخدم هذا المفتاح Idempotency-Key من قبل لطلب آخر.',
}
