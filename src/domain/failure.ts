import type { components } from '../../generated/types.ts'
import type { Counter } from './limit.ts'

/** Why a request as a whole is refused: the word of the header `Error-Code`. */
export type ErrorCode = components['schemas']['ErrorCode']

/** What is wrong with one field: a word of `data.codes`. */
export type FieldCode = components['schemas']['FieldCode']

/** What is wrong, by the path of the field, for example `phone` or `license_no.12`. */
export type FieldFailures = Readonly<Record<string, readonly FieldFailure[]>>

/** A field's word, and the values that its sentence needs, for example `{ limit: 72 }`. */
export type FieldFailure = FieldCode | Readonly<{ code: FieldCode; values: Readonly<Record<string, string | number>> }>

type Details = Readonly<{
  fields?: FieldFailures
  retryAfterSeconds?: number
  maxAgeSeconds?: number
  counter?: Counter
  cause?: unknown
}>

/** A refusal that the caller can understand. Its code is the contract; status and text are chosen at the edge. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly fields: FieldFailures | undefined
  readonly retryAfterSeconds: number | undefined
  /** Within how many seconds the password must have been proven */
  readonly maxAgeSeconds: number | undefined
  /** The counter that is used up */
  readonly counter: Counter | undefined

  constructor(code: ErrorCode, { fields, retryAfterSeconds, maxAgeSeconds, counter, cause }: Details = {}) {
    super(code, { cause })
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
    this.maxAgeSeconds = maxAgeSeconds
    this.counter = counter
  }
}

/** Refuses the request because of its fields. */
export function invalidData(fields: FieldFailures): Failure {
  return new Failure('invalid_data', { fields })
}
