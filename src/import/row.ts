import type { FieldFailure, FieldFailures } from '../domain/failure.ts'
import type { Line } from './lines.ts'

/** A row as it stands in the file */
export type Row = Readonly<{
  line: number
  /** The byte behind it, from the beginning of the file */
  end: number
  /** What it holds, by column; or why it cannot be read */
  content: { fields: Readonly<Record<string, unknown>> } | { failures: FieldFailures }
}>

/** Reads lines that come one after the other. */
export type LineReader = {
  /**
   * Takes the first line, and says whether it stands before the rows or is one.
   *
   * @throws Impossible when the file as a whole cannot be imported
   */
  begin(first: Line): 'head' | 'row'
  /** Of each line what it holds */
  read(lines: readonly string[]): Row['content'][]
}

/** A row that is wrong as a whole */
export function unreadable(failure: FieldFailure): Row['content'] {
  return { failures: { row: [failure] } }
}
