import type { AccountType } from './accounts/account.ts'
import type { NewPasskey } from './factors/passkey.ts'
import type { Names } from './profiles/profile.ts'

/** An account from another system, with its existing password hash and second factors. */
export type ImportedAccount = Readonly<{
  /** Normalised */
  email: string
  /** E.164 */
  phone: string
  phoneCode: string
  phoneVerified: boolean
  emailVerified: boolean
  passwordHash: string
  accountType: AccountType
  /** When the account was created; undefined for now */
  createdAt: Date | undefined
  /** The full name */
  name: string
  names: Names | undefined
  factors: ImportedFactors | undefined
}>

/** At least one second factor */
export type ImportedFactors = Readonly<{
  /** Encrypts the secret of the authenticator app for the account with an id; undefined without an app */
  sealTotp: ((accountId: number) => Uint8Array) | undefined
  passkeys: readonly ImportedPasskey[]
}>

export type ImportedPasskey = Omit<NewPasskey, 'byFactor' | 'challenge'> &
  Readonly<{
    name: string
    /** When it was added; undefined for now */
    createdAt: Date | undefined
  }>

/** Which identifiers of an imported account already belong to another one. */
export type TakenIdentifiers = Readonly<{
  email: boolean
  phone: boolean
  /** The positions of the passkeys */
  passkeys: readonly number[]
}>

/** The progress of the import of a file. */
export type ImportState = Readonly<{
  /** Number of rows processed, from the first one on */
  rows: number
  imported: number
  refused: number
  /** Number of rejected rows by field and code, for example `{ 'phone: phone_taken': 3 }` */
  reasons: Readonly<Record<string, number>>
  /** The report of rejected rows; undefined before the first one */
  report: Readonly<{ path: string; bytes: number }> | undefined
  finishedAt: Date | undefined
}>

export const NOT_STARTED: ImportState = {
  rows: 0,
  imported: 0,
  refused: 0,
  reasons: {},
  report: undefined,
  finishedAt: undefined,
}
