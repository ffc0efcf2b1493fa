import { LIMITS } from '../../../generated/limits.ts'

/** Verifies solutions of challenges that tell people from programs. */
export type Captcha = Readonly<{
  /** Returns whether solutions can be verified at present. */
  isAvailable(): boolean
  /**
   * Resolves to whether a solution is valid; undefined if the verifier does not tell.
   *
   * @param solution the token of the widget
   * @param address the IP address of the client
   */
  verify(solution: string, address: string): Promise<boolean | undefined>
}>

type Budgets = Readonly<{ perDay: number; perCountryPerDay: number; networkPercent: number }>

/** Returns how many requests of one network a day need no solution: most of its share of the smallest daily budget of SMS. */
export function freeRequestsPerDay({ perDay, perCountryPerDay, networkPercent }: Budgets): number {
  const share = (Math.min(perDay, perCountryPerDay) * networkPercent) / 100
  return Math.max(1, Math.floor((share * LIMITS.challenge.percent) / 100))
}
