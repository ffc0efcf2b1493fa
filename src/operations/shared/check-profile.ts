import type { Context } from '../../context.ts'
import { choiceFailures } from '../../domain/choices.ts'
import type { FieldFailures } from '../../domain/failure.ts'
import type { ReadyFile } from '../../domain/file.ts'
import type { PhoneVerification } from '../../domain/phone-verification.ts'
import { firstOf, type ProfileForm } from '../../domain/profile-form.ts'
import { lawyerFailures } from '../../domain/profile-rules.ts'
import type { Profile } from '../../domain/profile.ts'
import { checkIdentity, type Asking } from './check-identity.ts'

export type Checked = {
  failures: FieldFailures
  /** The window that confirmed a new number, where that is needed */
  window: PhoneVerification | undefined
  /** The files that came with the form */
  ready: ReadyFile[]
}

/**
 * Everything that is wrong with the fields of a form, as far as they are right by themselves: what the document cannot
 * say, because it is about the account, the lookups, other accounts or the clock.
 */
export async function checkProfile(
  form: ProfileForm,
  current: Profile,
  asking: Asking,
  context: Context,
): Promise<Checked> {
  const tables = context.lookups.current()
  const { nationalIdCheck, clock } = context
  const judged = { form, current, lookups: tables, nationalIdCheck, nowMs: clock.nowMs() }
  const { ready, wrong: wrongFiles } = await context.files.read(form, current.id)
  const { window, failures: wrongIdentity } = await checkIdentity(form, current, asking, context)
  const failures = firstOf(wrongFiles, wrongIdentity, choiceFailures(form, current, tables), lawyerFailures(judged))
  return { failures, window, ready }
}
