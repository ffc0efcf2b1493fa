import type { FieldFailure, FieldFailures } from '../../domain/failure.ts'

const MEGABYTE = 1024 * 1024

/** Replaces a file in a form that is over the limit of its field. Its content is not stored. */
export class OversizedFile {
  readonly megabytesMax: number

  constructor(bytesMax: number) {
    this.megabytesMax = bytesMax / MEGABYTE
  }
}

/** Returns the fields of a body whose files are over their limits. */
export function oversizedFiles(body: unknown): FieldFailures {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      value instanceof OversizedFile ? [[name, [tooLarge(value)]] as const] : [],
    ),
  )
}

function tooLarge({ megabytesMax }: OversizedFile): FieldFailure {
  return { code: 'file_too_large', values: { limit: megabytesMax } }
}
