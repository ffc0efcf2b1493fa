import { run } from './command.ts'

/** A client that was generated: whether it compiles, and which steps of the walk work. */
export type Result = {
  name: string
  version: string
  document: '3.0' | '3.1'
  errors: number
  works: readonly string[]
  /** What does not work, in the words of the compiler and of the walk */
  problems: string
}

export type GeneratedOnly = Pick<Result, 'name' | 'version'> & {
  document: '3.0'
  /** The warnings of the generator, each once */
  warnings: readonly string[]
}

export type Prepared = GeneratedOnly | { walk: (origin: string) => Promise<Result> }

export type GeneratedClient = { name: string; inCi: boolean; prepare: () => Promise<Prepared> }

/** The reason why a client cannot be prepared on this machine, as the end of a sentence */
export class Unavailable extends Error {}

export function walkedBy(
  commandFor: (origin: string) => readonly string[],
  options: { cwd: string; env?: Record<string, string> },
  client: Pick<Result, 'name' | 'version' | 'document'>,
  errors: readonly string[] = [],
): Prepared {
  return {
    async walk(origin) {
      const [program = '', ...args] = commandFor(origin)
      const { output } = await run(program, args, options)
      const problems = [...errors, output].join('\n')
      return { ...client, errors: errors.length, works: worksIn(output), problems }
    },
  }
}

/** Returns the steps that work, from the last line of a walk, which all walks write alike. */
export function worksIn(output: string): string[] {
  return JSON.parse(/^Works: (\[.*\])$/m.exec(output)?.[1] ?? '[]') as string[]
}
