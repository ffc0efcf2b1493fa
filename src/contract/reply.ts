// What an operation returns.
import type { bindings } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import type { MessageKey } from '../messages/index.ts'
import type { Data, OperationId, SuccessPart } from './operation.ts'

type Bindings = typeof bindings

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
