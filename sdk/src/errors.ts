import type { ErrorCodes, OperationId, Schemas } from './contract.ts'

/** Codes of errors without a response */
export type LocalErrorCode = 'network' | 'timeout' | 'aborted'

export type FieldError = {
  /** A stable code, see the FieldCode schema. New codes may be added. */
  code: Schemas['FieldCode'] | (string & {})
  /** A sentence in the language of the call */
  text: string
}

type Details = {
  operation: OperationId
  message: string
  status?: number
  retryAfter?: number | undefined
  requestId?: string | undefined
  fields?: Record<string, FieldError[]>
  cause?: unknown
}

/** The error of a failed call. `message` is a sentence for users, in the language of the call. */
export class TawthiqError<Code extends string = string> extends Error {
  override readonly name = 'TawthiqError'
  /** A stable code of the operation or the client. New codes may be added. */
  readonly code: Code | LocalErrorCode | (string & {})
  /** The operation that failed */
  readonly operation: OperationId
  /** The HTTP status; 0 without a response */
  readonly status: number
  /** Seconds to wait before a retry */
  readonly retryAfter: number | undefined
  /** Identifies the request in the logs of the service */
  readonly requestId: string | undefined
  /** Invalid fields, if the code is `invalid_data`; empty otherwise */
  readonly fields: Record<string, FieldError[]>

  constructor(code: TawthiqError<Code>['code'], details: Details) {
    super(details.message, { cause: details.cause })
    this.code = code
    this.operation = details.operation
    this.status = details.status ?? 0
    this.retryAfter = details.retryAfter
    this.requestId = details.requestId
    this.fields = details.fields ?? {}
  }
}

/**
 * Returns whether a value is an error of this SDK, even if the SDK was loaded twice.
 *
 * @param operation requires that this operation failed, and narrows the type to its codes
 */
export function isTawthiqError<Id extends OperationId = OperationId>(
  error: unknown,
  operation?: Id,
): error is TawthiqError<ErrorCodes<Id>> {
  if (!(error instanceof Error) || error.name !== 'TawthiqError') return false
  return operation === undefined || ('operation' in error && error.operation === operation)
}
