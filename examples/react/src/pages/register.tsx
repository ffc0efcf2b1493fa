import { bodyOf } from '@tawthiq/sdk/forms'
import { useOperation } from '@tawthiq/sdk/react'
import { useState } from 'react'
import { tawthiq } from '../client.ts'
import { texts } from '../texts.ts'
import { Form, Input } from '../ui.tsx'
import { OTP, PhoneStep, type Phone } from './phone.tsx'

type Confirmed = Phone & { otp: string }

/** Registration in three steps: phone number, code, details. */
export function Register() {
  const [phone, setPhone] = useState<Phone>()
  const [confirmed, setConfirmed] = useState<Confirmed>()
  return (
    <>
      <h1>{texts.register}</h1>
      {confirmed ? (
        <Details confirmed={confirmed} />
      ) : phone ? (
        <Code phone={phone} onConfirmed={setConfirmed} />
      ) : (
        <PhoneStep purpose="register" onSent={setPhone} />
      )}
    </>
  )
}

function Code({ phone, onConfirmed }: { phone: Phone; onConfirmed: (confirmed: Confirmed) => void }) {
  const { run, fields, ...state } = useOperation(tawthiq.auth.confirmPhone)
  const confirm = async (body: Confirmed) => {
    const { ok } = await run(body)
    if (ok) onConfirmed(body)
  }
  return (
    <Form
      state={state}
      action={texts.confirm}
      onSubmit={(event) => confirm({ ...phone, ...bodyOf<{ otp: string }>(event) })}
    >
      <Input {...OTP} errors={fields.otp} />
    </Form>
  )
}

function Details({ confirmed }: { confirmed: Confirmed }) {
  const { run, fields, ...state } = useOperation(tawthiq.auth.register)
  return (
    <Form state={state} action={texts.register} onSubmit={(event) => run({ ...bodyOf(event), ...confirmed })}>
      <input type="hidden" name="account_type" value="client" />
      <Input name="name" autoComplete="name" errors={fields.name} />
      <Input name="email" type="email" autoComplete="username" errors={fields.email} />
      <Input name="password" type="password" autoComplete="new-password" errors={fields.password} />
    </Form>
  )
}
