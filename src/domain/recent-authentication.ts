import { Failure } from './failure.ts'

/** What the document requires of the session of a request (RFC 9470). */
export type RecentAuthentication = Readonly<{
  maxAgeSeconds: number
  /** By how much the clock of the service is ahead of the database's */
  clockAheadSeconds: number
  /** The fields of which a changed one requires it; null: every request requires it */
  when: readonly string[] | null
}>

/** When the password was last proven on a session, by the clock of the database. */
export type SessionAge = Readonly<{ authenticationAgeSeconds: number }>

export function isRecent(
  { maxAgeSeconds, clockAheadSeconds }: RecentAuthentication,
  { authenticationAgeSeconds }: SessionAge,
): boolean {
  return authenticationAgeSeconds + clockAheadSeconds <= maxAgeSeconds
}

/**
 * Rejects a request that requires recent authentication, if its session does not have it.
 *
 * @param rule undefined for an operation that never requires it
 * @param changed the fields that the request changes
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

/** As far as a form has them: the e-mail address normalised, the number in E.164 */
type GivenIdentity = Readonly<{
  email: string | undefined
  phone: string | undefined
  password: string | undefined
}>

/** Returns which of the fields that an account is logged in and recovered with have another value than the stored one. */
export function changedIdentity(given: GivenIdentity, stored: Identity): ('email' | 'phone' | 'password')[] {
  const { email, phone, password } = given
  return [
    ...(email === undefined || email === stored.email || email === stored.pendingEmail ? [] : (['email'] as const)),
    ...(phone === undefined || phone === stored.phone ? [] : (['phone'] as const)),
    ...(password === undefined ? [] : (['password'] as const)),
  ]
}
