import type { BreachedPasswords } from './adapters/passwords/breached-passwords.ts'
import type { Captcha } from './adapters/captcha/index.ts'
import type { Codes, EmailCodes } from './adapters/tokens/otp-codes.ts'
import type { CommonPasswords } from './adapters/passwords/common-passwords.ts'
import type { describeDevice } from './adapters/devices.ts'
import type { Files } from './adapters/files/index.ts'
import type { FileLinks } from './adapters/files/links.ts'
import type { IdempotencySecrets } from './adapters/keys/idempotency-secrets.ts'
import type { KeyedHash } from './adapters/keys/keyed-hash.ts'
import type { Limits } from './adapters/limits/index.ts'
import type { Background } from './adapters/background.ts'
import type { MailSeal } from './adapters/mail/seal.ts'
import type { Mail } from './adapters/mail/smtp.ts'
import type { Passkeys } from './adapters/passkeys/index.ts'
import type { PasswordStrength } from './adapters/passwords/strength/index.ts'
import type { Passwords } from './adapters/passwords/index.ts'
import type { PhoneNumbers } from './adapters/sms/phone-numbers.ts'
import type { enrollmentCodes, recoveryCodes } from './adapters/tokens/factor-codes.ts'
import type { RefreshTokens, resetTokens } from './adapters/tokens/refresh-tokens.ts'
import type { FairQueue } from './adapters/queues/fair-queue.ts'
import type { Sms } from './adapters/sms/index.ts'
import type { KeyPresses } from './adapters/sms/key-presses.ts'
import type { CreditConfirmation } from './adapters/sms/fraud/unconfirmed.ts'
import type { FraudRules } from './adapters/sms/fraud/rules.ts'
import type { SmsNotices } from './adapters/sms/notices.ts'
import type { ReceiptReaders } from './adapters/sms/receipts.ts'
import type { Tokens } from './adapters/tokens/access-tokens.ts'
import type { RecordUse } from './adapters/tokens/used-tokens.ts'
import type { Totp } from './adapters/tokens/totp.ts'
import type { zipArchive } from './adapters/zip.ts'
import type { UndoCodes } from './adapters/tokens/undo-codes.ts'
import type { Config } from './config/index.ts'
import type { Clock } from './domain/clock.ts'
import type { Channel, CodeTexts } from './domain/phones/sms.ts'
import type { Log } from './lib/log.ts'
import type { Store } from './store/index.ts'
import type { Lookups } from './store/lookups.ts'

/** The dependencies of all operations, in the groups that `composition/` creates. */
export type Context = Essentials &
  PasswordParts &
  TokenParts &
  FactorParts &
  MailParts &
  SmsParts &
  FileParts &
  Policies

export type Essentials = {
  store: Store
  lookups: Lookups
  limits: Limits
  clock: Clock
  log: Log
  background: Background
  /** Runs few reads of administrators at a time, so that they never take all connections to the database */
  administratorReads: FairQueue
  /** Identifies requests with an Idempotency-Key, and encrypts their results */
  idempotencySecrets: IdempotencySecrets
  describeDevice: typeof describeDevice
}

/** Store passwords and check new ones. */
export type PasswordParts = {
  passwords: Passwords
  commonPasswords: CommonPasswords
  passwordStrength: PasswordStrength
  breachedPasswords: BreachedPasswords
}

/** The tokens and codes that users prove themselves with. */
export type TokenParts = {
  tokens: Tokens
  recordUse: RecordUse
  refreshTokens: RefreshTokens
  resetTokens: typeof resetTokens
  emailTokens: typeof resetTokens
  /** Codes by SMS */
  codes: Codes
  emailCodes: EmailCodes
  undoCodes: UndoCodes
}

export type FactorParts = {
  totp: Totp
  recoveryCodes: typeof recoveryCodes
  /** undefined: there are no passkeys */
  passkeys: Passkeys | undefined
  enrollmentCodes: typeof enrollmentCodes
}

export type MailParts = Pick<Config['mail'], 'resetUrl' | 'emailUrl' | 'factorResetUrl'> & {
  mail: Mail
  mailSeal: MailSeal
  /** Hashes the recipients of notices, which are limited per account and recipient */
  recipientHash: KeyedHash
}

export type SmsParts = {
  phoneNumbers: PhoneNumbers
  sms: Sms
  smsNotices: SmsNotices
  /** Returns the channels by which numbers of a calling code can get codes. */
  offeredChannels(callingCode: string): readonly Channel[]
  /** Whether the rules against fraud allow codes to the type of a number */
  acceptsNumberType: FraudRules['acceptsType']
  creditConfirmation: CreditConfirmation
  /** undefined: no challenge is required. `freePerDay` requests for codes of one network need no solution. */
  challenge: Readonly<{ captcha: Captcha; freePerDay: number }> | undefined
  smsReceipts: ReceiptReaders
  keyPresses: KeyPresses
  /** Stores what is known of sent messages, and evaluates the providers by it, as the service does every few seconds */
  evaluateSmsProviders(): Promise<void>
  /** Texts of codes that the operator has configured */
  codeTexts: CodeTexts
  /** Hashes the networks that request codes, so that no address is stored with a number */
  networkHash: KeyedHash
  /** E.164 numbers without a cooldown or limits of codes */
  unlimitedPhones: ReadonlySet<string>
}

export type FileParts = {
  files: Files
  fileLinks: FileLinks
  zipArchive: typeof zipArchive
}

/** What operators choose. */
export type Policies = Pick<Config, 'recentProofSeconds' | 'administratorsNeedFactor' | 'nationalIdCheck'> & {
  /** Calling codes that SMS are sent to; undefined for all */
  smsCountries: Config['sms']['countries']
  /** Whether an SMS code alone can reset a password. Never that of an administrator. */
  smsReset: Config['sms']['reset']
}
