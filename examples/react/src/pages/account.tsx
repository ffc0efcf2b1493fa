import { bodyOf } from '@tawthiq/sdk/forms'
import { useOperation, useQuery } from '@tawthiq/sdk/react'
import { saveDownload } from '@tawthiq/sdk/web'
import { tawthiq } from '../client.ts'
import { texts } from '../texts.ts'
import { Form, Input } from '../ui.tsx'

export function Account() {
  const { data, run: reload } = useQuery(tawthiq.profile.get)
  const download = useOperation(tawthiq.account.export)
  const save = async () => {
    const result = await download.run()
    if (result.ok) saveDownload(result.data)
  }
  return (
    <>
      <h1>{texts.account}</h1>
      <p>{data?.user.email}</p>
      {data?.user.pending_email ? (
        <ConfirmEmail address={data.user.pending_email} onConfirmed={reload} />
      ) : (
        <ChangeEmail onChanged={reload} />
      )}
      <button id="export" disabled={download.pending} onClick={save}>
        {texts.download}
      </button>
      {download.message && <p role="alert">{download.message}</p>}
      {data?.user.deletion_due_at ? (
        <CancelDeletion due={data.user.deletion_due_at} onCancelled={reload} />
      ) : (
        <RequestDeletion />
      )}
    </>
  )
}

/** The deletion ends the session, and the login page follows. */
function RequestDeletion() {
  const { run, fields, ...state } = useOperation(tawthiq.account.requestDeletion)
  return (
    <details id="deletion">
      <summary>{texts.delete_account}</summary>
      <p>{texts.deletion_hint}</p>
      <Form state={state} action={texts.delete_account} onSubmit={(event) => run(bodyOf(event))}>
        <Input name="password" type="password" autoComplete="current-password" errors={fields.password} />
      </Form>
    </details>
  )
}

function CancelDeletion({ due, onCancelled }: { due: string; onCancelled: () => void }) {
  const { run, pending, message } = useOperation(tawthiq.account.cancelDeletion)
  const cancel = async () => {
    const { ok } = await run()
    if (ok) onCancelled()
  }
  return (
    <p role="alert">
      {texts.deletion_due} <bdi>{new Date(due).toLocaleDateString('ar-SA-u-ca-gregory-nu-latn')}</bdi>{' '}
      <button id="keep" disabled={pending} onClick={cancel}>
        {texts.keep_account}
      </button>
      {message}
    </p>
  )
}

function ChangeEmail({ onChanged }: { onChanged: () => void }) {
  const { run, fields, ...state } = useOperation(tawthiq.profile.patch)
  const change = async (body: { email: string }) => {
    const { ok } = await run(body)
    if (ok) onChanged()
  }
  return (
    <Form state={state} action={texts.change_email} onSubmit={(event) => change(bodyOf(event))}>
      <Input name="email" type="email" label={texts.new_email} errors={fields.email} />
    </Form>
  )
}

function ConfirmEmail({ address, onConfirmed }: { address: string; onConfirmed: () => void }) {
  const { run, fields, ...state } = useOperation(tawthiq.auth.confirmEmail)
  const cancel = useOperation(tawthiq.auth.cancelEmailChange)
  const confirm = async (body: { code: string }) => {
    const { ok } = await run({ by: 'code', ...body })
    if (ok) onConfirmed()
  }
  return (
    <Form state={state} action={texts.confirm} onSubmit={(event) => confirm(bodyOf(event))}>
      <p>
        {texts.pending_email} {address}
      </p>
      <Input name="code" label={texts.otp} inputMode="numeric" errors={fields.code} />
      <button type="button" onClick={async () => (await cancel.run({})).ok && onConfirmed()}>
        {texts.cancel}
      </button>
    </Form>
  )
}
