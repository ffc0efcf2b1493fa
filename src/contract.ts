// What the document promises, as types. Nothing here is written by hand for one operation.
import type { Readable } from 'node:stream'
import type { bindings } from '../generated/operations.ts'
import type { operations } from '../generated/types.ts'
import type { Context } from './context.ts'
import type { Bearer } from './domain/account.ts'
import type { FieldFailures } from './domain/failure.ts'
import type { Slate } from './domain/limit.ts'
import type { Language } from './messages/index.ts'

export type OperationId = keyof typeof bindings & keyof operations

type Bindings = typeof bindings
type Json<Part> = Part extends { content: { 'application/json': infer Content } } ? Content : undefined
type Responses<Id extends OperationId> = operations[Id]['responses']
type Success<Id extends OperationId> = Json<SuccessPart<Id>>
type Content<Part> = Part extends { content: infer Media } ? Media[keyof Media] : undefined

export type Body<Id extends OperationId> = operations[Id] extends { requestBody: infer Part }
  ? Content<Part>
  : undefined
export type Data<Id extends OperationId> = Id extends OperationId
  ? Success<Id> extends { data: infer D }
    ? D
    : Bytes<MediaType<Id>>
  : never

type SuccessPart<Id extends OperationId> = Responses<Id>[Bindings[Id]['success']['status'] & keyof Responses<Id>]
type MediaType<Id extends OperationId> = SuccessPart<Id> extends { content: infer Media } ? keyof Media & string : never

/** What is answered in place of data where the document has `x-stream`. */
export type Bytes<Type extends string = string> = Readonly<{
  stream: Readable
  type: Type
  /** How many there are; undefined where that is not known before all of them have gone out */
  bytes: number | undefined
  disposition: 'inline' | 'attachment'
  filename: string
  /** Whether the browser of who asked may keep it */
  isStorable: boolean
}>

type Parameters<Id extends OperationId> = operations[Id]['parameters']

/** What stands in the path and behind its question mark. */
export type Path<Id extends OperationId> = Present<Parameters<Id> extends { path?: infer Part } ? Part : never>
export type Query<Id extends OperationId> = Present<Parameters<Id> extends { query?: infer Part } ? Part : never>
type Present<Part> = [NonNullable<Part>] extends [never] ? undefined : NonNullable<Part>

/** Who asks: `network` is the address as limits count it, and `wideNetworks` are the /56 and the /48 around it in IPv6. */
export type Client = Readonly<{
  address: string
  network: string
  wideNetworks: readonly [] | readonly [per56: string, per48: string]
  userAgent: string | undefined
  requestId: string
}>

/** The body as the document wants it; for an operation that checks further, what it needs to judge the rest of it. */
type Given<Id extends OperationId> = Bindings[Id]['checksFurther'] extends true
  ? {
      /** The fields of the body that passed its schema */
      draft: object
      /** What the schema has found wrong */
      wrong: FieldFailures
      /** Refuses when anything is wrong with the body, and gives it otherwise. */
      complete(failures: FieldFailures): Body<Id>
    }
  : { body: Body<Id> }

export type Call<Id extends OperationId> = {
  path: Path<Id>
  query: Query<Id>
  client: Client
  /** Aborts when the client disconnects: work that has not begun by then need not begin. */
  abandoned: AbortSignal
  language: Language
  slate: Slate
  reply: Reply<Id>
} & Given<Id> &
  (Bindings[Id]['secured'] extends true ? { bearer: Bearer | NoBearer<Id> } : unknown)

type NoBearer<Id extends OperationId> = Bindings[Id]['tokenOptional'] extends true ? null : never

declare const replied: unique symbol

/** What only `reply` makes, so that nothing goes out that the document does not have. */
export type Answer<Id extends OperationId> = Readonly<{ data: Data<Id>; retryAfterSeconds?: number; [replied]: Id }>

/** An operation gives the seconds of `Retry-After` if the document requires that header of its success, and else not. */
export type Reply<Id extends OperationId> =
  SuccessPart<Id> extends { headers: { 'Retry-After': number } }
    ? (data: Data<Id>, more: { retryAfterSeconds: number }) => Answer<Id>
    : (data: Data<Id>) => Answer<Id>

export type Operation<Id extends OperationId> = (call: Call<Id>, context: Context) => Promise<Answer<Id>>

/** One for each operationId: a missing, a surplus and a mistyped one do not compile. */
export type Operations = { [Id in OperationId]: Operation<Id> }
