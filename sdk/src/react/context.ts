import { createContext } from 'react'
import type { Result } from '../call.ts'
import type { OperationId } from '../contract.ts'

/** Runs a call, and repeats it after the user has reauthenticated if the service requires that. */
export type Repeat = <D, Id extends OperationId>(call: () => Promise<Result<D, Id>>) => Promise<Result<D, Id>>

export const Reauthentication = createContext<Repeat>((call) => call())
