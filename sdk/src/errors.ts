import { ERROR_CODES, FIELD_CODES, SHARED_CODES } from './generated/codes.ts'
import type { ErrorCodes, FieldErrors, OperationId, Schemas } from './contract.ts'
import { localMessage, type LocalCause } from './local-messages.ts'
import { operationOf } from './table.ts'

/** Codes of errors without a response, and `unknown` for codes that this version of the SDK does not know */
export type LocalErrorCode = 'network' | 'timeout' | 'aborted' | 'unknown'

/** Codes of a dialog of the browser that returned no passkey; `aborted` is another one */
export type PasskeyErrorCode = 'cancelled' | 'known' | 'domain_wrong' | 'unsupported' | 'failed'

/** The codes that the SDK adds to those of an operation. Those that begin with `beginPasskey` open a dialog of the browser. */
type AddedCodes<Id extends OperationId> =
  LocalErrorCode | (Id extends `beginPasskey${string}` ? PasskeyErrorCode : never)

export type FieldError = {
  /** A stable code; `unknown` for codes that this version of the SDK does not know */
  code: Schemas['FieldCode'] | 'unknown'
  /** The code as the service sent it */
  word: string
  /** A sentence for users, in the language of the call */
  text: string
}

/** A second factor. Later versions of the service can have others. */
export type FactorMethod = 'passkey' | 'totp' | 'recovery_code'

type Details<Id extends OperationId> = {
  operation: Id
  message: string
  status?: number
  retryAfter?: number | undefined
  requestId?: string | undefined
  fields?: FieldErrors<Id>
  methods?: readonly FactorMethod[]
  cause?: unknown
}

/** The error of a failed call. */
export class TawthiqError<Id extends OperationId = OperationId> extends Error {
  override readonly name = 'TawthiqError'
  /** A code of the operation or of the SDK; `unknown` for codes that this version of the SDK does not know */
  declare readonly code: ErrorCodes<Id> | AddedCodes<Id>
  /** The code as the service sent it */
  declare readonly word: string
  /** The operation that failed */
  declare readonly operation: Id
  /** The HTTP status; 0 without a response */
  declare readonly status: number
  /** Seconds to wait before a retry */
  declare readonly retryAfter: number | undefined
  /** Identifies the request in the logs of the service */
  declare readonly requestId: string | undefined
  /** Invalid fields, if the code is `invalid_data`; empty otherwise */
  declare readonly fields: FieldErrors<Id>
  /** If the code is `mfa_required`: the second factors that the user can use, preferred ones first; empty otherwise */
  declare readonly methods: readonly FactorMethod[]

  constructor(word: string, { message, cause, ...details }: Details<Id>) {
    super(message, { cause })
    const code = codeOf(details.operation, word)
    Object.assign(this, { status: 0, fields: {}, methods: [] }, details, { word, code })
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
): error is TawthiqError<Id> {
  if (!(error instanceof Error) || error.name !== 'TawthiqError') return false
  return operation === undefined || (error as { operation?: OperationId }).operation === operation
}

/** Stands for the first code of `ERROR_CODES` in the table of operations */
const FIRST_CHARACTER = 48

function codeOf<Id extends OperationId>(operation: Id, word: string): ErrorCodes<Id> | LocalErrorCode {
  const position = ERROR_CODES.split(' ').indexOf(word)
  const [characters = '', ...others] = operationOf(operation).codes.split(',')
  const isDeclared = position < SHARED_CODES || characters.includes(String.fromCharCode(FIRST_CHARACTER + position))
  // as the table says, which comes from the document like the type
  return (position < 0 ? others.includes(word) || localMessage(word as LocalCause) : isDeclared)
    ? (word as ErrorCodes<Id>)
    : 'unknown'
}

export function toFieldError(word: string, text: string): FieldError {
  const isKnown = FIELD_CODES.split(' ').includes(word)
  return { code: isKnown ? (word as Schemas['FieldCode']) : 'unknown', word, text } // as the list says
}
