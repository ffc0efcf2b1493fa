import type { ImportState } from '../domain/import.ts'

export type Outcome = Readonly<{
  state: ImportState
  /** `known`: it was imported before; `stopped`: the operator wanted it so */
  end: 'done' | 'known' | 'stopped'
  /** The rows of this run, and how long they took */
  rows: number
  ms: number
}>
