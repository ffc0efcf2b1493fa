// The types of operations, derived from the document. Nothing here is written for a single operation.
import type { operations } from '../../generated/types.ts'
import type { Context } from '../context.ts'
import type { Bearer } from '../domain/accounts/account.ts'
import type { RateLimiter } from '../domain/rate-limiter.ts'
import type { SignedRequest } from '../domain/signed-request.ts'
import type { Language } from '../messages/index.ts'
import type { DeferredValidation } from './field-errors.ts'
import type { Bindings, Content, OperationId, OperationResponse, Reply } from './reply.ts'

export type { Bytes, Data, OperationId } from './reply.ts'

/** Undefined for an operation without a body, and where an optional one is left out */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody: infer Part }
  ? Content<Part>
  : Bindings[Id]['bodyOptional'] extends true
    ? Content<NonNullable<operations[Id]['requestBody']>> | undefined
    : undefined
type Parameters<Id extends OperationId> = operations[Id]['parameters']

type Path<Id extends OperationId> = Present<Parameters<Id> extends { path?: infer Part } ? Part : never>
export type Query<Id extends OperationId> = Present<Parameters<Id> extends { query?: infer Part } ? Part : never>
type Header<Id extends OperationId> = Parameters<Id> extends { header?: infer Part } ? NonNullable<Part> : never
type Present<Part> = [NonNullable<Part>] extends [never] ? undefined : NonNullable<Part>

/** The client of a request. Limits count `network`; `wideNetworks` are the /56 and the /48 around an IPv6 address. */
export type Client = Readonly<{
  address: string
  network: string
  wideNetworks: readonly [] | readonly [per56: string, per48: string]
  userAgent: string | undefined
  requestId: string
}>

/** The body of an operation with `x-tawthiq-patches` */
type Patch<Id extends OperationId> = {
  /** The members of the patch, which are not validated */
  body: Readonly<Record<string, unknown>>
  /**
   * Applies the patch to the stored form of the operation `Id`, and validates the result like a form of it.
   *
   * @param target null where there is no value, and links in place of files
   */
  applyTo(target: Readonly<Record<string, unknown>>): Deferred<Id> & { removedFiles: string[] }
}

/** The validated body. An operation with `x-tawthiq-defer-validation` gets the valid part of it, and finishes validation itself. */
type DeferredOrBody<Id extends OperationId> = Bindings[Id]['patches'] extends OperationId
  ? Patch<Bindings[Id]['patches']>
  : Bindings[Id]['deferValidation'] extends true
    ? Deferred<Id>
    : { body: Body<Id> }

type Deferred<Id extends OperationId> = DeferredValidation<Body<Id>>

/** The parts of the calls of all operations */
export type AnyCall = Readonly<{
  client: Client
  /** Aborts when the client disconnects, so that work in a queue need not begin */
  abandoned: AbortSignal
  language: Language
  /** Counts against limits that the response reports */
  rateLimiter: RateLimiter
}>

export type Call<Id extends OperationId> = AnyCall & {
  path: Path<Id>
  query: Query<Id>
  reply: Reply<Id>
} & DeferredOrBody<Id> &
  ('If-Match' extends keyof Header<Id> ? Preconditions : unknown) &
  ('Idempotency-Key' extends keyof Header<Id> ? { idempotency: IdempotentRequest | undefined } : unknown) &
  (Bindings[Id]['signed'] extends true ? { signed: SignedRequest } : unknown) &
  (Bindings[Id]['secured'] extends true ? { bearer: Bearer | NoBearer<Id> } : unknown)

/** Returns a call with other members. A copy would not have those that are computed when they are read. */
export function withMembers<Base extends object, More extends object>(
  call: Base,
  more: More,
): Omit<Base, keyof More> & More {
  return Object.assign(Object.create(call) as Base, more)
}

/** What `If-Match` requires */
type Preconditions = {
  /** The versions of which the content must have one; undefined if any will do */
  expectedVersions: ReadonlySet<string> | undefined
}

type NoBearer<Id extends OperationId> = Bindings[Id]['tokenOptional'] extends true ? null : never

export type Operation<Id extends OperationId> = (call: Call<Id>, context: Context) => Promise<OperationResponse<Id>>

/** One operation for each operationId. A missing, surplus or wrongly typed one does not compile. */
export type Operations = { [Id in OperationId]: Operation<Id> }

/** The `Idempotency-Key` of a request, and what it identifies */
export type IdempotentRequest = Readonly<{
  /** The key, without quotation marks */
  key: string
  operation: string
  /** The path parameters and the body, in a form that is equal for equal requests */
  content: string
  /** Marks the response as the result of an earlier request */
  markReplayed(): void
}>
