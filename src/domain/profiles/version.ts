import { Failure } from '../failure.ts'

/** Identifies one state of the profile of one account. */
export function profileVersion({ id, profileVersion }: Readonly<{ id: number; profileVersion: number }>): string {
  return `${id}-${profileVersion}`
}

/**
 * Requires that a profile is in one of the states that the caller expects.
 *
 * @param expected undefined if the caller expects none
 * @throws Failure 412 `outdated`
 */
export function requireVersion(expected: ReadonlySet<string> | undefined, actual: string): void {
  if (expected && !expected.has(actual)) throw new Failure('outdated')
}
