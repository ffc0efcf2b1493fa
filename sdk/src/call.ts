import type { TawthiqError } from './errors.ts'
import { isTawthiqError } from './errors.ts'

export type Result<Data, Code extends string = string> =
  { ok: true; data: Data } | { ok: false; error: TawthiqError<Code> }

/** `data` with the response that carried it. The body of the response has been read. */
export type WithResponse<Data> = { data: Data; response: Response }

/** A call in progress. It resolves to the data and rejects with a `TawthiqError`. */
export type Call<Data, Code extends string = string> = Promise<Data> & {
  /** Resolves to `{ok: true, data}` or `{ok: false, error}` instead of rejecting. */
  result(): Promise<Result<Data, Code>>
  /** Resolves to the data and the response, for its headers. */
  withResponse(): Promise<WithResponse<Data>>
}

export function createCall<Data, Code extends string>(received: Promise<WithResponse<Data>>): Call<Data, Code> {
  const data = received.then((each) => each.data)
  const ignore = (): void => undefined
  return Object.assign(data, {
    async result(): Promise<Result<Data, Code>> {
      try {
        return { ok: true, data: await data }
      } catch (error) {
        if (isTawthiqError(error)) return { ok: false, error: error as TawthiqError<Code> } // of this operation
        throw error
      }
    },
    withResponse() {
      data.catch(ignore) // the caller handles the rejection of the other promise
      return received
    },
  })
}
