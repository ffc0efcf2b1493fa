import type { ImportState } from '../../domain/import.ts'

export type Outcome = Readonly<{
  state: ImportState
  /** `known`: the file was imported before; `stopped`: interrupted by the operator */
  end: 'done' | 'known' | 'stopped'
  /** The number of rows of this run, and its duration */
  rows: number
  ms: number
}>
