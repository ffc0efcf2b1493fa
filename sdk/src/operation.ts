import { createCall, type Call } from './call.ts'
import type { Body, ClientOperationId, Data, OperationId, Path, Query } from './contract.ts'
import type { Exchange } from './http/exchange.ts'
import type { CallOptions } from './options.ts'

export type OperationOptions<Id extends OperationId> = CallOptions & {
  path?: Path<Id> | undefined
  query?: Query<Id> | undefined
}

/** Calls any operation of the document by its operationId. */
export type CallOperation<Any extends OperationId = ClientOperationId> = <Id extends Any>(
  id: Id,
  body: Body<Id>,
  options?: OperationOptions<Id>,
) => Call<Data<Id>, Id>

export function createOperation({ call }: Pick<Exchange, 'call'>): CallOperation<OperationId> {
  return <Id extends OperationId>(id: Id, body: Body<Id>, options: OperationOptions<Id> = {}) => {
    // the document, from which the types come, says what an operation returns
    const received = call({ id, body, options }) as Promise<{ data: Data<Id>; response: Response }>
    return createCall<Data<Id>, Id>(received)
  }
}
