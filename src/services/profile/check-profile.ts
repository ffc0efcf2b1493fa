import type { Context } from '../../context.ts'
import { choiceFailures } from '../../domain/profiles/choices.ts'
import type { FieldFailures } from '../../domain/failure.ts'
import type { ReadyFile } from '../../domain/files/file.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import { mergeFailures, type ProfileForm, type Profile } from '../../domain/profiles/profile.ts'
import { lawyerFailures } from '../../domain/profiles/profile-rules.ts'
import type { ReadPhone } from '../phone/read-phone.ts'
import { checkIdentity, type RequestInfo } from './check-identity.ts'

export type Checked = {
  failures: FieldFailures
  /** The window that confirmed a new number, if there is one */
  window: PhoneVerification | undefined
  /** The uploaded files */
  ready: ReadyFile[]
}

/**
 * Checks the valid fields of a form against rules that the document cannot express: they depend on the account, the lookups,
 * other accounts or the clock.
 */
export async function checkProfile(
  form: ProfileForm,
  phone: ReadPhone,
  current: Profile,
  request: RequestInfo,
  context: Context,
): Promise<Checked> {
  const tables = context.lookups.current()
  const { nationalIdCheck, clock } = context
  const judged = { form, current, lookups: tables, nationalIdCheck, nowMs: clock.nowMs() }
  const { ready, fieldErrors: wrongFiles } = await context.files.read(form, current.id)
  const { window, failures: wrongIdentity } = await checkIdentity(form, phone, current, request, context)
  const failures = mergeFailures(
    wrongFiles,
    wrongIdentity,
    choiceFailures(form, current, tables),
    lawyerFailures(judged),
  )
  return { failures, window, ready }
}
