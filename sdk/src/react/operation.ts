import { useCallback, useContext, useEffect, useRef, useState } from 'react'
import type { Call, Result } from '../call.ts'
import type { FieldErrors, OperationId } from '../contract.ts'
import type { TawthiqError } from '../errors.ts'
import { Reauthentication } from './context.ts'

export type OperationState<D, Id extends OperationId> = {
  pending: boolean
  /** The data of the last run, if it succeeded */
  data: D | undefined
  /** The error of the last run, if it failed */
  error: TawthiqError<Id> | undefined
}

export type Operation<Given extends unknown[], D, Id extends OperationId> = OperationState<D, Id> & {
  /** The errors of invalid fields, by name; empty without any */
  fields: FieldErrors<Id>
  /** A sentence for users about the error; undefined if `fields` has the sentences */
  message: string | undefined
  /** Calls the operation. Resolves to `{ok: true, data}` or `{ok: false, error}`. */
  run: (...given: Given) => Promise<Result<D, Id>>
  /** Removes the data and the error, and ignores the result of a run in progress. */
  reset: () => void
}

const IDLE = { pending: false, data: undefined, error: undefined }

/**
 * Returns the state of an operation and a function that runs it. Only the result of the latest run is shown. `run` and `reset` are
 * the same functions in all renders, also if the operation is an inline function.
 */
export function useOperation<Given extends unknown[], D, Id extends OperationId>(
  operation: (...given: Given) => Call<D, Id>,
): Operation<Given, D, Id> {
  const [state, setState] = useState<OperationState<D, Id>>(IDLE)
  const repeat = useContext(Reauthentication)
  const latest = useRef(0)
  const current = useRef(operation)
  useEffect(() => void (current.current = operation))

  const reset = useCallback(() => {
    latest.current += 1
    setState(IDLE)
  }, [])
  useEffect(() => reset, [reset])

  const run = useCallback(
    async (...given: Given) => {
      reset()
      const call = current.current
      const turn = latest.current
      const show = (next: OperationState<D, Id>): void => {
        if (turn === latest.current) setState(next)
      }
      show({ ...IDLE, pending: true })
      try {
        const result = await repeat(() => call(...given).result())
        show(result.ok ? { ...IDLE, data: result.data } : { ...IDLE, error: result.error })
        return result
      } catch (error) {
        show(IDLE)
        throw error
      }
    },
    [repeat, reset],
  )
  const { error } = state
  const fields = error?.fields ?? ({} as FieldErrors<Id>) // no member is required
  const message = error?.code === 'invalid_data' ? fields.body?.[0]?.text : error?.message
  return { ...state, fields, message, run, reset }
}
