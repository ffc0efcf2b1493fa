import { useEffect } from 'react'
import type { Call } from '../call.ts'
import type { OperationId } from '../contract.ts'
import { useOperation, type Operation } from './operation.ts'

/**
 * Runs an operation that reads when the component is mounted and when `key` changes. `run` reads again.
 *
 * @param key identifies what the operation reads, if it depends on values of the component
 */
export function useQuery<D, Id extends OperationId>(
  operation: () => Call<D, Id>,
  key?: string | number,
): Operation<[], D, Id> {
  const state = useOperation(operation)
  const { run, data, error } = state
  useEffect(() => void run(), [run, key])
  return { ...state, pending: state.pending || (data === undefined && !error) }
}
