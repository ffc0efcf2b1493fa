import type { Catalogue, IdempotencyErrorKey } from '../catalogue.ts'

/** Rejections of a request because of its Idempotency-Key */
export const idempotency: Pick<Catalogue, IdempotencyErrorKey> = {
  idempotency_in_progress: 'Another request with the same Idempotency-Key is running. Try again in a moment.',
  idempotency_outcome_unknown: 'A message may already have been sent. Wait for it, or request another one.',
  idempotency_session_ended: 'Your account was created. Log in.',
  idempotency_key_reused: 'This Idempotency-Key was already used for another request.',
}
