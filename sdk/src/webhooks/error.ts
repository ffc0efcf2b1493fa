const MESSAGES = {
  headers_missing: 'The request has no headers of a webhook',
  timestamp_not_recent: 'The timestamp of the webhook is too old, or in the future',
  signature_wrong: 'No signature of the webhook belongs to a known secret',
  body_malformed: 'The body of the webhook is not an event',
}

export type WebhookErrorCode = keyof typeof MESSAGES

/** The reason to reject a request. `message` is for logs. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode) {
    super(MESSAGES[code])
    this.code = code
  }
}

/** Returns whether a value is an error of `verifyWebhook`, even if the SDK was loaded twice. */
export function isWebhookError(error: unknown): error is WebhookError {
  return error instanceof Error && error.name === 'WebhookError'
}
