import type { Catalogue, WebhookKey } from '../catalogue.ts'

/** Messages about events, and to SMS providers that send receipts */
export const webhooks: Pick<Catalogue, WebhookKey> = {
  events_read: 'The events were retrieved.',
  events_replayed: 'The events will be delivered again.',
  events_unavailable: 'No webhook endpoint is configured.',
  sms_receipt_stored: 'The delivery state was stored.',
  signature_wrong: 'The signature of the request is missing or wrong.',
  sms_provider_unknown: 'This SMS provider does not exist, or its receipts are not configured.',
}
