import type { OperationId } from './contract.ts'
import { isTawthiqError, type TawthiqError } from './errors.ts'

export type Result<Data, Id extends OperationId = OperationId> =
  { ok: true; data: Data } | { ok: false; error: TawthiqError<Id> }

/** `data` with the response that carried it. The body of the response has been read. */
export type WithResponse<Data> = { data: Data; response: Response }

/** A call in progress. It resolves to the data and rejects with a `TawthiqError`. */
export type Call<Data, Id extends OperationId = OperationId> = Promise<Data> & {
  /** Resolves to `{ok: true, data}` or `{ok: false, error}` instead of rejecting. */
  result(): Promise<Result<Data, Id>>
  /** Resolves to the data and the response, for its headers. */
  withResponse(): Promise<WithResponse<Data>>
}

export function createCall<Data, Id extends OperationId>(received: Promise<WithResponse<Data>>): Call<Data, Id> {
  const data = received.then((each) => each.data)
  const ignore = (): void => undefined
  return Object.assign(data, {
    async result(): Promise<Result<Data, Id>> {
      try {
        return { ok: true, data: await data }
      } catch (error) {
        if (isTawthiqError(error)) return { ok: false, error: error as TawthiqError<Id> } // of this operation
        throw error
      }
    },
    withResponse() {
      data.catch(ignore) // the caller handles the rejection of the other promise
      return received
    },
  })
}
