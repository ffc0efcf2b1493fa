import type { Call } from './call.ts'
import type { Body, Data, OperationId, Query } from './contract.ts'
import type { CallOperation } from './operation.ts'
import type { CallOptions } from './options.ts'

/** The result of calling an operation */
export type Called<Id extends OperationId> = Call<Data<Id>, Id>

/** Calls an operation that takes a body. */
export type WithBody<Id extends OperationId> = (body: Body<Id>, options?: CallOptions) => Called<Id>

/** Calls an operation whose body can be left out. */
export type WithOptionalBody<Id extends OperationId> = (body?: Body<Id>, options?: CallOptions) => Called<Id>

/** Calls an operation that takes nothing. */
export type Bare<Id extends OperationId> = (options?: CallOptions) => Called<Id>

/** Calls an operation that takes a query. */
export type WithQuery<Id extends OperationId> = (query?: Query<Id>, options?: CallOptions) => Called<Id>

/** Makes functions of operations, by operationId. */
export type Shortcuts = {
  body<Id extends OperationId>(id: Id): WithBody<Id>
  optionalBody<Id extends OperationId>(id: Id): WithOptionalBody<Id>
  bare<Id extends OperationId>(id: Id): Bare<Id>
  query<Id extends OperationId>(id: Id): WithQuery<Id>
}

export function shortcutsTo(operation: CallOperation<OperationId>): Shortcuts {
  // undefined is a body, where the document has an optional one
  const withBody =
    <Id extends OperationId>(id: Id): WithOptionalBody<Id> =>
    (body, options) =>
      operation(id, body as Body<Id>, options)
  return {
    body: withBody,
    optionalBody: withBody,
    // operations without a body take undefined
    bare:
      <Id extends OperationId>(id: Id) =>
      (options?: CallOptions) =>
        operation(id, undefined as Body<Id>, options),
    query:
      <Id extends OperationId>(id: Id) =>
      (query?: Query<Id>, options?: CallOptions) =>
        operation(id, undefined as Body<Id>, { ...options, query }),
  }
}
