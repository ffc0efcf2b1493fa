import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import { NO_WINDOW_ID, type CodePurpose } from '../../domain/code-purposes.ts'
import type { Policy, Slate } from '../../domain/limit.ts'
import { maskPhone } from '../../domain/mask.ts'
import { asciiDigits } from '../../domain/phone.ts'
import { confirm, type PhoneVerification } from '../../domain/phone-verification.ts'
import { traceOf } from '../../domain/trace.ts'
import { siteOf } from './site.ts'

const ADDRESS_FAILURES: Policy = {
  name: 'confirm-phone-address',
  points: LIMITS.confirm_phone.wrong_per_address,
  seconds: LIMITS.confirm_phone.address_minutes * 60,
}

const REFUSALS = { rate_limited: 'phone_confirm_limited', otp_tries_exhausted: 'otp_exhausted' } as const

/** A code that a client sends for a purpose */
type Try = { phone: string; purpose: CodePurpose; otp: string; client: Client; slate: Slate }

/**
 * One try to confirm a number with a code, counted and recorded. Resolves to the window that is confirmed; undefined when
 * the code is wrong or late, is for another purpose, or none was sent, all of which do the same work and take the same time.
 *
 * @param phone E.164
 * @param otp in digits of any script
 * @throws Failure 429 `otp_tries_exhausted` or `rate_limited`
 */
export async function confirmCode(
  { phone, purpose, otp, client, slate }: Try,
  { store, limits, codes, networkHash }: Context,
): Promise<PhoneVerification | undefined> {
  const { network } = client
  const trace = traceOf(client, maskPhone(phone))
  const code = asciiDigits(otp)
  const by = networkHash(siteOf(client))
  let window: PhoneVerification | undefined
  let isRepeated = false as boolean // until the attempt says so
  const isConfirmed = await limits
    .countFailures([{ policy: ADDRESS_FAILURES, key: network }], slate, async () => {
      const verdict = await store.phoneVerifications.change({ phone, purpose }, (current, nowMs) => {
        const isRight = codes.isRight(current ?? { phone, purpose, windowId: NO_WINDOW_ID }, code)
        return confirm(current, { phone, purpose }, { isRight, by }, nowMs)
      })
      window = verdict.next
      isRepeated = verdict.isRepeated
      return verdict.isConfirmed
    })
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, phone, trace))
  if (!isRepeated) {
    await store.audit.record({ event: isConfirmed ? 'phone_confirmed' : 'phone_confirmation_failed', ...trace })
  }
  return isConfirmed ? window : undefined
}
