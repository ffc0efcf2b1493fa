import { LIMITS } from '../../../generated/limits.ts'
import type { SmsBudgets } from '../../domain/phones/sms.ts'

/** Verifies solutions of challenges that tell people from programs. */
export type Captcha = Readonly<{
  /** Returns whether solutions can be verified at present. */
  isAvailable(): boolean
  /** Resolves to whether a solution, the token of a widget, is valid; undefined if the verifier does not tell. */
  verify(solution: string, address: string): Promise<boolean | undefined>
}>

/** Returns how many requests of one network a day need no solution: most of its share of the smallest daily budget of SMS. */
export function freeRequestsPerDay(budgets: Omit<SmsBudgets, 'resetPercent'>): number {
  const share = (Math.min(budgets.perDay, budgets.perCountryPerDay) * budgets.networkPercent) / 100
  return Math.max(1, Math.floor((share * LIMITS.challenge.percent) / 100))
}
