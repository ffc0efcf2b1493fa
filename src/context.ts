import type { BreachedPasswords } from './adapters/breached-passwords.ts'
import type { Codes } from './adapters/codes.ts'
import type { CommonPasswords } from './adapters/common-passwords.ts'
import type { deviceOf } from './adapters/devices.ts'
import type { EmailCodes } from './adapters/email-codes.ts'
import type { Files } from './adapters/files/index.ts'
import type { FileLinks } from './adapters/files/links.ts'
import type { KeyedHash } from './adapters/keyed-hash.ts'
import type { Limits } from './adapters/limits.ts'
import type { Background } from './adapters/background.ts'
import type { Mail } from './adapters/mail.ts'
import type { PasswordStrength } from './adapters/password-strength/index.ts'
import type { Passwords } from './adapters/passwords.ts'
import type { PhoneNumbers } from './adapters/phone-numbers.ts'
import type { RefreshTokens } from './adapters/refresh-tokens.ts'
import type { ResetTokens } from './adapters/reset-tokens.ts'
import type { Sms } from './adapters/sms.ts'
import type { SmsNotices } from './adapters/sms-notices.ts'
import type { Tokens } from './adapters/tokens.ts'
import type { ZipArchive } from './adapters/zip.ts'
import type { Clock } from './domain/clock.ts'
import type { Log } from './log.ts'
import type { Store } from './store/index.ts'
import type { Lookups } from './store/lookups.ts'

/** Everything that an operation can reach outside its own arguments. */
export type Context = {
  store: Store
  lookups: Lookups
  passwords: Passwords
  tokens: Tokens
  refreshTokens: RefreshTokens
  codes: Codes
  phoneNumbers: PhoneNumbers
  sms: Sms
  smsNotices: SmsNotices
  mail: Mail
  /** The page that sets a new password; undefined: there is none */
  resetUrl: string | undefined
  resetTokens: ResetTokens
  /** The page that confirms e-mail addresses and cancels their change; undefined: there is none */
  emailUrl: string | undefined
  emailTokens: ResetTokens
  emailCodes: EmailCodes
  background: Background
  files: Files
  fileLinks: FileLinks
  zipArchive: ZipArchive
  limits: Limits
  /** What a `User-Agent` calls its program and its system */
  deviceOf: typeof deviceOf
  commonPasswords: CommonPasswords
  passwordStrength: PasswordStrength
  breachedPasswords: BreachedPasswords
  clock: Clock
  /** Within how many seconds the password must have been proven, where the document requires recent authentication */
  recentProofSeconds: number
  /** Whether an implausible national ID is only shown to reviewers, or also refused */
  nationalIdCheck: 'flag' | 'strict'
  /** Calling codes that SMS are sent to; undefined: all */
  smsCountries: ReadonlySet<string> | undefined
  /** Stands for a network where a number stores who asked for its codes */
  networkHash: KeyedHash
  /** Whether a code by SMS alone resets a password */
  allowsSmsReset: boolean
  /** E.164 numbers that codes may be sent to without a cooldown or a limit */
  unlimitedPhones: ReadonlySet<string>
  log: Log
}
