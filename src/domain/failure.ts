import type { components, operations } from '../../generated/types.ts'
import type { FactorMethod } from './factors/second-factor.ts'
import type { Counter } from './rate-limiter.ts'

/** Why a request is rejected: the value of the header `Error-Code`. */
export type ErrorCode = components['schemas']['ErrorCode']

/** Why a field is rejected: a value of `data.codes`. */
export type FieldCode = components['schemas']['FieldCode']

type Operation = operations[keyof operations]
type KeyOf<Part> = Part extends object
  ? keyof { [Key in keyof Part as string extends Key ? never : Key]: 0 } & string
  : never
type Body<Of> = Of extends { requestBody?: { content: infer Content } } ? Content[keyof Content] : never

/** Columns of an import, and a field of SMS receipts, whose bodies the document does not describe */
type Undocumented = 'created_at' | 'email_verified' | 'passkeys' | 'password_hash' | 'receipts' | 'row' | 'totp_secret'

/** A field of the body, or a parameter, of any operation */
export type Field =
  | Undocumented
  | KeyOf<Body<Operation>>
  | KeyOf<Operation['parameters']['path'] | Operation['parameters']['query']>
  | Lowercase<KeyOf<Operation['parameters']['header']>>

/** Failures by the path of the field, for example `phone` or `license_no.12`. A field that no operation has does not compile. */
export type FieldFailures = Readonly<Partial<Record<Field | `${string}.${string}`, readonly FieldFailure[]>>>

/** A field code, with the values of its message, for example `{ limit: 72 }`. `accepted` and `example` add a sentence of their own. */
export type FieldFailure = FieldCode | Readonly<{ code: FieldCode; values: Readonly<Record<string, string | number>> }>

/**
 * What the message of an error adds: the accepted media types, where a JSON is invalid, a header, or an example of an escape in a
 * URL
 */
export type Hints = Readonly<{ accepted?: string; line?: number; column?: number; header?: string; escape?: string }>

type Details = Partial<Pick<Error, 'cause'>> & {
  readonly [Name in Exclude<keyof Failure, keyof Error | 'code'>]?: Failure[Name] | undefined
}

/** A rejection that the caller can handle. It has no status and no message: `src/http` derives both from the code. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly fields: FieldFailures | undefined
  readonly retryAfterSeconds: number | undefined
  /** Maximum age of the last password check, in seconds */
  readonly maxAgeSeconds: number | undefined
  /** The second factors that the account can use */
  readonly factorMethods: readonly FactorMethod[] | undefined
  /** The exhausted counter */
  readonly counter: Counter | undefined
  readonly hints: Hints

  constructor(code: ErrorCode, { cause, hints = {}, ...details }: Details = {}) {
    super(code, { cause })
    this.code = code
    this.hints = hints
    Object.assign(this, details)
  }
}

/** Returns the failures of a field whose path is computed, which the compiler cannot check. */
export function failuresAt(path: string, ...failures: readonly FieldFailure[]): FieldFailures {
  return { [path]: failures }
}

export function invalidData(fields: FieldFailures): Failure {
  return new Failure('invalid_data', { fields })
}

/** Creates the failure for a counter that has no points left for `resetSeconds`. */
export function rateLimited(counter: Counter, resetSeconds: number): Failure {
  return new Failure('rate_limited', { retryAfterSeconds: resetSeconds, counter })
}
