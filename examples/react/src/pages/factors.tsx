// The second factors of the account: an authenticator app, passkeys and recovery codes.
import type { Body, Call, Data, FieldError, OperationId } from '@tawthiq/sdk'
import { bodyOf } from '@tawthiq/sdk/forms'
import { isSupported } from '@tawthiq/sdk/passkeys'
import { useOperation, useQuery } from '@tawthiq/sdk/react'
import { useId, useState } from 'react'
import { encode } from 'uqr'
import { factors, passkeys } from '../client.ts'
import { texts } from '../texts.ts'
import { Form, Input, SecondFactor } from '../ui.tsx'

/** What the user has to do after a change, before the list is shown again */
type Next = { app: Data<'beginTotp'> } | { codes: readonly string[] } | undefined

export function Factors() {
  const { data, message, run: reload } = useQuery(factors.get)
  const [next, setNext] = useState<Next>()
  const finish = ({ recovery_codes: codes = null }: { recovery_codes?: readonly string[] | null } = {}) => {
    setNext(codes ? { codes } : undefined)
    void reload()
  }
  if (next && 'app' in next) return <ConfirmApp {...next.app} onConfirmed={finish} />
  if (next) return <RecoveryCodes codes={next.codes} onDone={() => finish()} />
  if (!data) return <p role={message ? 'alert' : 'status'}>{message ?? texts.loading}</p>
  return (
    <>
      <h1>{texts.factors}</h1>
      <p>{texts.factors_hint}</p>
      {data.totp_added_at ? (
        <Change action={texts.remove_app} operation={factors.removeTotp} onDone={() => finish()} />
      ) : (
        <Change action={texts.add_app} operation={factors.beginTotp} onDone={(app) => setNext({ app })} />
      )}
      {data.passkeys.map(({ id, name }) => (
        <Change
          key={id}
          action={`${texts.remove_passkey} ${name}`}
          operation={(proof) => passkeys.remove(id, proof)}
          onDone={() => finish()}
        />
      ))}
      {isSupported() && (
        <Change
          action={texts.add_passkey}
          operation={({ name = '', ...proof }) => passkeys.add(name, proof)}
          onDone={finish}
          hasName
        />
      )}
      {(data.totp_added_at ?? data.passkeys[0]) && (
        <Change
          action={`${texts.renew_codes} (${data.recovery_codes_left})`}
          operation={factors.renewRecoveryCodes}
          onDone={finish}
        />
      )}
    </>
  )
}

type Proof = Body<'removeTotp'> & { name?: string }
type ChangeProps<D, Id extends OperationId> = {
  action: string
  operation: (proof: Proof) => Call<D, Id>
  onDone: (data: D) => void
  /** Whether the user names what is added */
  hasName?: boolean
}

/** A change with the proof that it needs: the password or, if the account has one, a factor that is not new. */
function Change<D, Id extends OperationId>({ action, operation, onDone, hasName }: ChangeProps<D, Id>) {
  const id = useId()
  const { run, fields, ...state } = useOperation(operation)
  const prove = useOperation(passkeys.prove)
  const errors: Partial<Record<string, FieldError[]>> = fields
  const change = async (proof: Proof) => {
    const result = await run(proof)
    if (result.ok) onDone(result.data)
  }
  const changeWithPasskey = async () => {
    const proof = await prove.run()
    if (proof.ok) await change(proof.data)
  }
  return (
    <details name="factors">
      <summary>{action}</summary>
      <Form state={state} action={action} onSubmit={(event) => change(bodyOf(event))}>
        {hasName && <Input name="name" id={`${id}-name`} label={texts.passkey_name} errors={errors['name']} />}
        <Input name="password" id={id} type="password" autoComplete="current-password" errors={errors['password']} />
        <SecondFactor error={state.error} errors={errors['code']} />
        {state.error?.methods.includes('passkey') && (
          <button type="button" disabled={prove.pending} onClick={changeWithPasskey}>
            {texts.use_passkey}
          </button>
        )}
        {prove.message && <p role="alert">{prove.message}</p>}
      </Form>
    </details>
  )
}

type ConfirmAppProps = Data<'beginTotp'> & { onConfirmed: (confirmed: Data<'confirmTotp'>) => void }

function ConfirmApp({ uri, secret, onConfirmed }: ConfirmAppProps) {
  const { run, fields, ...state } = useOperation(factors.confirmTotp)
  const confirm = async (body: Body<'confirmTotp'>) => {
    const result = await run(body)
    if (result.ok) onConfirmed(result.data)
  }
  return (
    <>
      <h1>{texts.add_app}</h1>
      <p>{texts.scan}</p>
      <QrCode text={uri} />
      <bdi id="secret">{secret}</bdi>
      <Form state={state} action={texts.confirm} onSubmit={(event) => confirm(bodyOf(event))}>
        <Input
          name="code"
          label={texts.app_code}
          inputMode="numeric"
          autoComplete="one-time-code"
          errors={fields.code}
        />
      </Form>
    </>
  )
}

function QrCode({ text }: { text: string }) {
  const { data } = encode(text, { border: 4 })
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg viewBox={`0 0 ${data.length} ${data.length}`} role="img" aria-label={texts.qr_code}>
      <path d={cells.join('')} />
    </svg>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <>
      <h1>{texts.recovery_codes}</h1>
      <p>{texts.recovery_hint}</p>
      <pre id="recovery-codes" dir="ltr">
        {codes.join('\n')}
      </pre>
      <button onClick={onDone}>{texts.done}</button>
    </>
  )
}
