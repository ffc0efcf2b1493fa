import { bodyOf } from '@tawthiq/sdk/forms'
import { useOperation } from '@tawthiq/sdk/react'
import { useState } from 'react'
import { tawthiq } from '../client.ts'
import { texts } from '../texts.ts'
import { Form, Input } from '../ui.tsx'
import { OTP, PhoneStep, type Phone } from './phone.tsx'

/** Requests a reset by e-mail or by a code to the phone number. */
export function Forgot() {
  const [phone, setPhone] = useState<Phone>()
  const { run, data, fields, ...state } = useOperation(tawthiq.auth.forgotPassword)
  if (phone) return <NewPassword by={{ by: 'phone', ...phone, otp: '' }} />
  return (
    <>
      <h1>{texts.forgot}</h1>
      <Form state={state} action={texts.send_link} onSubmit={(event) => run(bodyOf(event))}>
        <input type="hidden" name="by" value="email" />
        <Input name="email" type="email" autoComplete="username" errors={fields.email} />
      </Form>
      {data !== undefined && <p role="status">{texts.link_sent}</p>}
      <PhoneStep purpose="reset" onSent={setPhone} />
    </>
  )
}

type Way = { by: 'email'; token: string } | ({ by: 'phone'; otp: string } & Phone)

/** Sets a new password. After a link to an address that was never verified, the service also asks for a code by SMS. */
export function NewPassword({ by }: { by: Way }) {
  const { run, data, fields, ...state } = useOperation(tawthiq.auth.resetPassword)
  const isCodeNeeded = by.by === 'phone' || fields.otp
  if (data !== undefined)
    return (
      <p role="status">
        {texts.password_changed} <a href="#login">{texts.login}</a>
      </p>
    )
  return (
    <>
      <h1>{texts.set_password}</h1>
      <Form state={state} action={texts.set_password} onSubmit={(event) => run({ ...by, ...bodyOf(event) })}>
        {isCodeNeeded && <Input {...OTP} errors={fields.otp} />}
        <Input name="password" type="password" label={texts.new_password} errors={fields.password} />
      </Form>
    </>
  )
}
