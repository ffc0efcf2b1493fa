import type { Codes } from './adapters/codes.ts'
import type { Limits } from './adapters/limits.ts'
import type { Passwords } from './adapters/passwords.ts'
import type { PhoneNumbers } from './adapters/phone-numbers.ts'
import type { Sms } from './adapters/sms.ts'
import type { Tokens } from './adapters/tokens.ts'
import type { Log } from './log.ts'
import type { Store } from './store/index.ts'

/** Everything that an operation can reach outside its own arguments. */
export type Context = {
  store: Store
  passwords: Passwords
  tokens: Tokens
  codes: Codes
  phoneNumbers: PhoneNumbers
  sms: Sms
  limits: Limits
  /** Calling codes that SMS are sent to; undefined: all */
  smsCountries: ReadonlySet<string> | undefined
  log: Log
}
