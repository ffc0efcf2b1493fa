// The operations of the document as types.
import type { FieldError } from './errors.ts'
import type { OwnErrorCodes, SharedErrorCode } from './generated/codes.ts'
import type { ADMIN_OPERATIONS } from './generated/admin-operations.ts'
import type { FACTOR_OPERATIONS } from './generated/factor-operations.ts'
import type { OPERATIONS } from './generated/operations.ts'
import type { PASSKEY_OPERATIONS } from './generated/passkey-operations.ts'
import type { components, operations } from './generated/types.ts'
import type { Download } from './http/download.ts'

type Table = typeof OPERATIONS & typeof ADMIN_OPERATIONS & typeof FACTOR_OPERATIONS & typeof PASSKEY_OPERATIONS

/** The operationId of an operation */
export type OperationId = keyof Table

/** The operationId of an operation of the main module: `createAdmin`, `createFactors` and `createPasskeys` have the others */
export type ClientOperationId = keyof typeof OPERATIONS

/** The schemas of the document, by name: `Schemas['ClientProfile']` */
export type Schemas = components['schemas']

/** The error codes that an operation returns */
export type ErrorCodes<Id extends OperationId> = SharedErrorCode | OwnErrorCodes[Id]

/** The names of what an operation takes: fields, query parameters and path parameters */
export type FieldNames<Id extends OperationId> = Extract<Id extends unknown ? NamesIn<operations[Id]> : never, string>

/**
 * The errors of invalid fields, by name. Errors of members have a path with dots, such as `license_no.101`, and those of a
 * whole body the name `body`.
 */
export type FieldErrors<Id extends OperationId> = Partial<Record<FieldNames<Id> | 'body', FieldError[]>> &
  Record<`${FieldNames<Id>}.${string}`, FieldError[]> &
  (Id extends Idempotent ? { 'idempotency-key'?: FieldError[] } : unknown)

/** The result of a successful call: `data` of the response, or a file */
export type Data<Id extends OperationId> =
  Success<operations[Id]['responses']> extends { content: { 'application/json': { data: infer D } } } ? D : Download

/** The request body of an operation; undefined if it has none */
export type Body<Id extends OperationId> = BodyIn<operations[Id]>

/** The query parameters of an operation */
export type Query<Id extends OperationId> = ParameterIn<operations[Id], 'query'>

/** The path parameters of an operation */
export type Path<Id extends OperationId> = ParameterIn<operations[Id], 'path'>

/** A form in which null clears an optional field and undefined leaves it unchanged */
export type Clearable<Form> = Form extends unknown
  ? { [Name in keyof Form]: undefined extends Form[Name] ? Form[Name] | null | undefined : Form[Name] }
  : never

type Idempotent = {
  [Id in OperationId]: Table[Id] extends `${string} ${string} ${string} ${string}i` ? Id : never
}[OperationId]

type NamesIn<Operation> =
  | KeysOf<Exclude<BodyIn<Operation>, FormData>>
  | KeysOf<ParameterIn<Operation, 'query'> | ParameterIn<Operation, 'path'>>

/** The keys of all members of a union */
type KeysOf<Union> = Union extends unknown ? keyof Union : never

type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202)]

type BodyIn<Operation> = Operation extends { requestBody?: infer Given }
  ? NonNullable<Given> extends { content: infer Media }
    ? BodyOf<Media>
    : undefined
  : undefined

type BodyOf<Media> = [NonNullable<Media>] extends [never]
  ? undefined
  : Media extends { 'application/json': infer Json }
    ? Json
    : Media extends { 'multipart/form-data': infer Form }
      ? Clearable<Form> | FormData
      : undefined

type ParameterIn<Operation, Place extends string> = Operation extends {
  parameters: Partial<Record<Place, infer Given>>
}
  ? NonNullable<Given>
  : never
