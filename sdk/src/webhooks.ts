export { verifyWebhook, type WebhookOptions, type WebhookRequest } from './webhooks/verify.ts'
export { WebhookError, isWebhookError, type WebhookErrorCode } from './webhooks/error.ts'
export type { UnknownEvent, WebhookEvent, WebhookEvents } from './webhooks/event.ts'
