import type { Context } from '../../context.ts'
import type { Call } from '../../contract.ts'
import { normaliseEmail } from '../../domain/account.ts'
import type { Profile } from '../../domain/profile.ts'
import { changedIdentity, isRecent, requireRecent, type SessionAge } from '../../domain/recent-authentication.ts'
import type { IdentityForm } from './check-identity.ts'
import { knowPassword } from './know-password.ts'
import { readPhone } from './read-phone.ts'

export const REAUTHENTICATION_EVENTS = {
  wrong: 'reauthentication_failed',
  limited: 'reauthentication_limited',
} as const

/**
 * Rejects an update that changes the e-mail address, the phone number or the password on a session without recent
 * authentication. Nothing is said about other accounts and no code is used up before. What the document finds wrong with
 * the form comes first.
 *
 * @returns whether the password of the form is the stored one and so no change; on a recent session it always is one
 * @throws Failure 403 `reauthentication_required`, 422 `invalid_data`, 429 `rate_limited` after too many wrong passwords
 */
export async function requireRecentChanges(
  form: IdentityForm,
  current: Profile & SessionAge,
  call: Call<'updateProfile'>,
  context: Context,
): Promise<boolean> {
  const { recent } = call.bearer
  if (!recent || isRecent(recent, current)) return false
  const { email, password } = form
  const phone = readPhone(form, context).phone?.e164
  const given = { email: email === undefined ? undefined : normaliseEmail(email), phone, password }
  const changed = changedIdentity(given, current)
  if (changed.length === 0) return false
  call.complete({})
  requireRecent(
    recent,
    current,
    changed.filter((field) => field !== 'password'),
  )
  if (password === undefined) return false

  const { isKnown } = await knowPassword({ ...call, password, events: REAUTHENTICATION_EVENTS }, context)
  if (!isKnown) requireRecent(recent, current, ['password'])
  return isKnown
}
