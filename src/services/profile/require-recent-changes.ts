import type { Context } from '../../context.ts'
import type { Call } from '../../contract/operation.ts'
import type { Profile } from '../../domain/profiles/profile.ts'
import {
  changedIdentity,
  isRecent,
  requireRecent,
  type SessionAge,
} from '../../domain/sessions/recent-authentication.ts'
import type { IdentityForm } from './check-identity.ts'
import { verifyPassword } from '../password/verify-password.ts'
import type { ReadPhone } from '../../contract/phone-fields.ts'
import { REAUTHENTICATION_EVENTS } from '../sessions/reauthentication-events.ts'

/**
 * Rejects an update that changes the e-mail address, the phone number or the password on a session without recent
 * authentication. It runs before anything about other accounts is revealed or a code is used; errors that the document finds in
 * the form take precedence.
 *
 * @returns whether the password of the form equals the stored one, so it is not a change; false on a recent session
 * @throws Failure 403 `reauthentication_required`, 422 `invalid_data`, 429 `rate_limited` after too many wrong passwords
 */
export async function requireRecentChanges(
  form: IdentityForm,
  { phone }: ReadPhone,
  current: Profile & SessionAge,
  call: Omit<Call<'updateProfile'>, 'path' | 'query' | 'reply'>,
  context: Context,
): Promise<boolean> {
  const { recent } = call.bearer
  if (!recent || isRecent(recent, current)) return false
  const { email, password } = form
  const changed = changedIdentity({ email, phone: phone?.e164, password }, current)
  if (changed.length === 0) return false
  call.finish({})
  requireRecent(
    recent,
    current,
    changed.filter((field) => field !== 'password'),
  )
  if (password === undefined) return false

  const { proof } = await verifyPassword(call, { password, events: REAUTHENTICATION_EVENTS }, context)
  const isKnown = proof !== 'password_wrong'
  if (!isKnown) requireRecent(recent, current, ['password'])
  return isKnown
}
