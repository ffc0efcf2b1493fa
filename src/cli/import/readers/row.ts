import type { FieldFailure, FieldFailures } from '../../../domain/failure.ts'
import type { Line } from './lines.ts'

/** A row of the file */
export type Row = Readonly<{
  line: number
  /** The offset of its end in the file */
  end: number
  /** Its fields by column, or why it cannot be read */
  content: { fields: Readonly<Record<string, unknown>> } | { failures: FieldFailures }
}>

/** Reads consecutive lines. */
export type LineReader = {
  /**
   * Reads the first line, and returns whether it is a header or a row.
   *
   * @throws CommandError if the whole file cannot be imported
   */
  begin(first: Line): 'head' | 'row'
  /** Returns the content of each line. */
  read(lines: readonly string[]): Row['content'][]
}

/** Returns the content of a row that is invalid as a whole. */
export function rejectedContent(failure: FieldFailure): Row['content'] {
  return { failures: { row: [failure] } }
}
