import type { Body } from '@tawthiq/sdk'
import { bodyOf } from '@tawthiq/sdk/forms'
import { useOperation } from '@tawthiq/sdk/react'
import { tawthiq } from '../client.ts'
import { texts } from '../texts.ts'
import { Form, Input } from '../ui.tsx'

export type Phone = Pick<Body<'checkPhone'>, 'phone' | 'phone_code'>

/** Asks for a number and sends a code to it. */
export function PhoneStep({ purpose, onSent }: { purpose: 'register' | 'reset'; onSent: (phone: Phone) => void }) {
  const check = useOperation(tawthiq.auth.checkPhone)
  const reset = useOperation((phone: Phone) => tawthiq.auth.forgotPassword({ by: 'phone', ...phone }))
  const { fields, ...state } = purpose === 'register' ? check : reset
  const send = async (phone: Phone) => {
    const { ok } = await state.run(phone)
    if (ok) onSent(phone)
  }
  return (
    <Form state={state} action={texts.send_code} onSubmit={(event) => send(bodyOf(event))}>
      <Input name="phone_code" type="tel" defaultValue="966" errors={fields.phone_code} />
      <Input name="phone" type="tel" autoComplete="tel-national" errors={fields.phone} />
    </Form>
  )
}

export const OTP = { name: 'otp', inputMode: 'numeric', maxLength: 6, autoComplete: 'one-time-code' } as const
