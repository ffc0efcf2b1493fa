import type { AccountType } from './account.ts'
import type { Names } from './profile.ts'

/** Somebody whose account comes from elsewhere, with the hash of the password as it was there. */
export type Newcomer = Readonly<{
  /** Normalised */
  email: string
  /** E.164 */
  phone: string
  phoneCode: string
  phoneVerified: boolean
  emailVerified: boolean
  passwordHash: string
  accountType: AccountType
  /** Since when there is the account; undefined: since now */
  createdAt: Date | undefined
  /** The full name */
  name: string
  /** Its parts, of a lawyer */
  names: Names | undefined
}>

/** What of a newcomer belongs to an account already */
export type Taken = Readonly<{ email: boolean; phone: boolean }>

/** How far the import of a file has come. */
export type ImportState = Readonly<{
  /** The rows that are done, from the first one on */
  rows: number
  imported: number
  refused: number
  /** How often what was refused, for example `{ 'phone: phone_taken': 3 }` */
  reasons: Readonly<Record<string, number>>
  /** The report of what was refused: undefined before the first refusal */
  report: Readonly<{ path: string; bytes: number }> | undefined
  finishedAt: Date | undefined
}>

export const NOT_BEGUN: ImportState = {
  rows: 0,
  imported: 0,
  refused: 0,
  reasons: {},
  report: undefined,
  finishedAt: undefined,
}
