// What an operation returns. The types are derived from the document.
import type { Readable } from 'node:stream'
import type { bindings } from '../../generated/operations.ts'
import type { components, operations } from '../../generated/types.ts'
import type { MessageKey } from '../messages/index.ts'

export type OperationId = keyof typeof bindings & keyof operations

export type Bindings = typeof bindings

type Json<Part> = Part extends { content: { 'application/json': infer Content } } ? Content : undefined
type Responses<Id extends OperationId> = operations[Id]['responses']
type Success<Id extends OperationId> = Json<SuccessPart<Id>>
/** The content of a body, of any media type */
export type Content<Part> = Part extends { content: infer Media } ? Media[keyof Media] : undefined

export type Data<Id extends OperationId> = Id extends OperationId
  ? Success<Id> extends { data: infer D }
    ? D
    : Bytes<MediaType<Id>>
  : never

type SuccessPart<Id extends OperationId> = Responses<Id>[Bindings[Id]['success']['status'] & keyof Responses<Id>]
type MediaType<Id extends OperationId> = SuccessPart<Id> extends { content: infer Media } ? keyof Media & string : never

/** The content of a response that is not JSON: the document has `x-tawthiq-stream` there. */
export type Bytes<Type extends string = string> = Readonly<{
  stream: Readable
  type: Type
  /** The number of bytes; undefined if it is not known in advance */
  bytes: number | undefined
  disposition: 'inline' | 'attachment'
  filename: string
  /** Whether the client may cache it */
  isStorable: boolean
}>

declare const replied: unique symbol

/** Made by `reply` only, so that every response has the data that the document declares. */
export type OperationResponse<Id extends OperationId> = Readonly<{
  data: Data<Id>
  retryAfterSeconds?: number
  headers?: Readonly<Record<string, string>>
  message?: MessageKey
  version?: string
  [replied]: Id
}>

/**
 * Takes the seconds of `Retry-After` if, and only if, the document requires that header of a success, the headers that only
 * this operation has with it, and the same for the version of the content and `ETag`. The tags of cacheable responses are
 * computed from their bytes. `message` replaces that of the document.
 */
export type Reply<Id extends OperationId> =
  SuccessPart<Id> extends { headers: { 'Retry-After': number } }
    ? (
        data: Data<Id>,
        more: { retryAfterSeconds: number; headers: OwnHeaders<Id>; message?: MessageKey },
      ) => OperationResponse<Id>
    : IsVersioned<Id> extends true
      ? (data: Data<Id>, more: { version: string }) => OperationResponse<Id>
      : (data: Data<Id>) => OperationResponse<Id>

type Headers<Id extends OperationId> = SuccessPart<Id> extends { headers: infer Found } ? Found : never

/** The headers of a success that no component describes, so that only the operation can know their values */
type OwnHeaders<Id extends OperationId> = {
  [Name in Exclude<KnownKeys<Headers<Id>>, SharedHeader | 'Retry-After'>]: Headers<Id>[Name & keyof Headers<Id>]
}
type SharedHeader = keyof components['headers']
/** The names of the members, without the index signature that the types of headers have */
type KnownKeys<Type> = keyof { [Name in keyof Type as string extends Name ? never : Name]: Type[Name] }

type IsVersioned<Id extends OperationId> = Bindings[Id]['cacheControl'] extends 'no-store'
  ? SuccessPart<Id> extends { headers: { ETag: string } }
    ? true
    : false
  : false
