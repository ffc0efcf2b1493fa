import { bodyOf } from '@tawthiq/sdk/forms'
import { isSupported } from '@tawthiq/sdk/passkeys'
import { useOperation } from '@tawthiq/sdk/react'
import { passkeys, tawthiq } from '../client.ts'
import { texts } from '../texts.ts'
import { Form, Input, SecondFactor } from '../ui.tsx'

export function Login() {
  const { run, fields, ...state } = useOperation(tawthiq.auth.login)
  const passkey = useOperation(() => passkeys.login())
  return (
    <>
      <h1>{texts.login}</h1>
      <Form state={state} action={texts.login} onSubmit={(event) => run(bodyOf(event))}>
        <Input name="email" type="email" autoComplete="username" errors={fields.email} />
        <Input name="password" type="password" autoComplete="current-password" errors={fields.password} />
        <SecondFactor error={state.error} errors={fields.code} />
      </Form>
      {isSupported() && (
        <button type="button" id="passkey" disabled={passkey.pending} onClick={() => passkey.run()}>
          {texts.use_passkey}
        </button>
      )}
      {passkey.message && <p role="alert">{passkey.message}</p>}
      <a href="#register">{texts.register}</a> <a href="#forgot">{texts.forgot}</a>
    </>
  )
}
