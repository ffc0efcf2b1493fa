import { ALGORITHMS, type Algorithm } from '../adapters/keys/key-file-schema.ts'
import { UsageError } from './program.ts'

/** Parses the algorithm that signs access tokens. */
export function parseAlgorithm(text: string | undefined): Algorithm | undefined {
  const algorithm = ALGORITHMS.find((each) => each === text)
  if (text === undefined || algorithm !== undefined) return algorithm
  throw new UsageError(`Unknown algorithm: ${text}. Use one of ${ALGORITHMS.join(', ')}.`)
}
