// The document says which operations require recent authentication, and how recent (x-tawthiq-requires-recent-authentication). It is
// checked before the body is read (http/request/authorization.ts), and a change checks it again on the locked session
// (store/accounts/lock-account.ts, store/admin/lock-target.ts). An update of a profile needs it if the fields of `when` change
// (services/profile/require-recent-changes.ts, store/profiles/update-profile.ts), and `getFile` for a document of another person.
import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../failure.ts'

/** The recent authentication that an operation requires of a session (RFC 9470). */
export type RecentAuthentication = Readonly<{
  maxAgeSeconds: number
  /** Required only if one of these fields changes, or if the account has a `second_factor`; null if every request requires it */
  when: readonly string[] | null
}>

/** The time since the password, and a second factor if the account has one, were verified in a session */
export type SessionAge = Readonly<{ authenticationAgeSeconds: number }>

type Rule = Pick<RecentAuthentication, 'when'> & Readonly<{ seconds: number }>

/** An operation that can take over or export an account, or read the documents of another person */
const SENSITIVE: Rule = { seconds: LIMITS.recent_authentication.seconds, when: null }

/** Returns the recent authentication that a rule of the document requires. The operator can configure that of sensitive operations. */
export function recentAuthentication(
  { recentProofSeconds }: Readonly<{ recentProofSeconds: number }>,
  { seconds, when }: Rule = SENSITIVE,
): RecentAuthentication {
  return { maxAgeSeconds: seconds === SENSITIVE.seconds ? recentProofSeconds : seconds, when }
}

export function isRecent({ maxAgeSeconds }: RecentAuthentication, { authenticationAgeSeconds }: SessionAge): boolean {
  return authenticationAgeSeconds <= maxAgeSeconds
}

/**
 * Rejects a request that requires recent authentication, if its session does not have it.
 *
 * @param rule undefined for an operation that never requires it
 * @param changed the fields that the request changes, and `second_factor` if the account has one
 * @throws Failure 403 `reauthentication_required`
 */
export function requireRecent(
  rule: RecentAuthentication | undefined,
  session: SessionAge,
  changed: readonly string[] = [],
): void {
  if (!rule || isRecent(rule, session)) return
  const isRequired = rule.when === null || rule.when.some((field) => changed.includes(field))
  if (isRequired) throw new Failure('reauthentication_required', { maxAgeSeconds: rule.maxAgeSeconds })
}

type Identity = Readonly<{ email: string; pendingEmail: string | null; phone: string }>

/** Fields of a form, if given: the normalised e-mail address, and the number in E.164 */
type GivenIdentity = Readonly<Record<'email' | 'phone' | 'password', string | undefined>>

/** Returns which of the fields for login and recovery differ from the stored values. */
export function changedIdentity(given: GivenIdentity, stored: Identity): ('email' | 'phone' | 'password')[] {
  const { email, phone, password } = given
  return [
    ...(email === undefined || email === stored.email || email === stored.pendingEmail ? [] : (['email'] as const)),
    ...(phone === undefined || phone === stored.phone ? [] : (['phone'] as const)),
    ...(password === undefined ? [] : (['password'] as const)),
  ]
}
