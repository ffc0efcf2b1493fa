import type { Test } from 'tap'
import type { World } from './world.ts'

/**
 * Configures challenges until the end of a test: a solution is valid if it begins with `right`. Returns the solutions that were
 * verified.
 */
export function withChallenge({ service }: World, t: Pick<Test, 'teardown'>): string[] {
  const { context } = service.app
  const verified: string[] = []
  const captcha = {
    isAvailable: () => true,
    async verify(solution: string) {
      verified.push(solution)
      return solution.startsWith('right')
    },
  }
  context.challenge = { captcha, freePerDay: 200 }
  t.teardown(() => (context.challenge = undefined))
  return verified
}
