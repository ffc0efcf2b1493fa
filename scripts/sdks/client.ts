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

export type Skipped = { name: string; skipped: string }

/** A client that was generated, and not compiled */
export type GeneratedOnly = {
  name: string
  version: string
  document: '3.0'
  /** The warnings of the generator, each once */
  warnings: readonly string[]
}

export type Prepared = Skipped | GeneratedOnly | { name: string; walk: (origin: string) => Promise<Result> }

export type GeneratedClient = { name: string; inCi: boolean; prepare: () => Promise<Prepared> }

/** Returns the steps in the last line of a walk, which all walks write alike. */
export function stepsIn(output: string): string[] {
  const found = /^Works: (\[.*\])$/m.exec(output)?.[1]
  return found === undefined ? [] : (JSON.parse(found) as string[])
}
