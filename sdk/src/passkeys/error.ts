const MESSAGES = {
  cancelled: 'The user cancelled the dialog of the browser, or its time was up',
  aborted: 'The signal was aborted, or another dialog of the page began',
  known: 'The authenticator already has a passkey of the account',
  domain_wrong: 'The domain of the page is not one of the passkeys of the service',
  unsupported: 'The browser or its authenticators do not support passkeys',
  failed: 'The browser failed',
}

/** The names of the exceptions of WebAuthn Level 3 */
const CODES: Record<string, PasskeyErrorCode> = {
  NotAllowedError: 'cancelled',
  AbortError: 'aborted',
  InvalidStateError: 'known',
  SecurityError: 'domain_wrong',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
}

export type PasskeyErrorCode = keyof typeof MESSAGES

/** The browser has returned no passkey. `cause` is its exception, and `message` is for logs. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  readonly code: PasskeyErrorCode

  constructor(code: PasskeyErrorCode, cause?: unknown) {
    super(MESSAGES[code], { cause })
    this.code = code
  }
}

/** Returns whether a value is an error of a browser's dialog, even if the SDK was loaded twice. */
export function isPasskeyError(error: unknown): error is PasskeyError {
  return error instanceof Error && error.name === 'PasskeyError'
}

/** Returns the error of an exception of `navigator.credentials`. */
export function toPasskeyError(exception: unknown): PasskeyError {
  const name = exception instanceof Error ? exception.name : ''
  return new PasskeyError(CODES[name] ?? 'failed', exception)
}
