/** A client that was generated: whether it compiles, and which steps of the walk work. */
export type Result = {
  name: string
  version: string
  document: '3.0' | '3.1'
  /** The number of compiler errors */
  errors: number
  works: readonly string[]
  /** What does not work, in the words of the compiler and of the walk */
  problems: string
}

/** A client that was generated, and not compiled */
export type GeneratedOnly = Pick<Result, 'name' | 'version'> & {
  document: '3.0'
  /** The warnings of the generator, each once */
  warnings: readonly string[]
}

export type Prepared = GeneratedOnly | { walk: (origin: string) => Promise<Result> }

export type GeneratedClient = { name: string; inCi: boolean; prepare: () => Promise<Prepared> }

/** The reason why a client cannot be prepared on this machine, as the end of a sentence */
export class Unavailable extends Error {}

/** Returns the result of a walk. Its last line, which all walks write alike, has the steps. */
export function resultOf(
  client: Pick<Result, 'name' | 'version' | 'document'>,
  errors: readonly string[],
  output: string,
): Result {
  const steps = /^Works: (\[.*\])$/m.exec(output)?.[1] ?? '[]'
  const works = JSON.parse(steps) as string[]
  return { ...client, errors: errors.length, works, problems: [...errors, output].join('\n') }
}
