import { createElement, useCallback, useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react'
import type { Call } from '../call.ts'
import type { Tawthiq } from '../client.ts'
import type { Body } from '../contract.ts'
import type { Passkeys } from '../passkeys/client.ts'
import { Reauthentication, type Repeat } from './context.ts'
import { useOperation, type Operation } from './operation.ts'

type Ids = 'reauthenticate' | 'beginPasskeyReauthentication' | 'reauthenticateWithPasskey'

export type PasswordPrompt = {
  /**
   * Reauthenticates with the password of the user, and repeats the calls that required it. If `error.code` is `mfa_required`, ask
   * for the code of the second factor as well.
   */
  confirm: (password: string, code?: string) => Promise<void>
  /** The same with a passkey, if the provider has `passkeys`. `error` says why the browser returned none. */
  confirmWithPasskey: (() => Promise<void>) | undefined
  /** Returns the original error to the calls. */
  cancel: () => void
} & Pick<Operation<[], unknown, Ids>, 'pending' | 'error' | 'fields' | 'message'>

export type ReauthenticationProviderProps = {
  client: { auth: Pick<Tawthiq['auth'], 'reauthenticate'>; onSession: Tawthiq['onSession'] }
  /** The passkeys of the client, `createPasskeys(client)`, to confirm with one in place of the password */
  passkeys?: Pick<Passkeys, 'reauthenticate'>
  /** Renders the form that asks for the password, after the children, while calls require it. */
  prompt: (prompt: PasswordPrompt) => ReactNode
  children?: ReactNode
}

type Confirmation = () => Call<unknown, 'reauthenticate'> | ReturnType<Passkeys['reauthenticate']>
type Question = { answered: Promise<boolean>; answer: (isConfirmed: boolean) => void }

/**
 * Asks for the password once when runs of `useOperation` fail with `reauthentication_required`, and repeats them. If the user logs
 * out meanwhile, also in another tab, it stops asking and returns the errors.
 */
export function ReauthenticationProvider(props: ReauthenticationProviderProps): ReactElement {
  const { client, passkeys } = props
  const { pending, error, fields, message, run, reset } = useOperation(
    (call: Confirmation) => call() as Call<unknown, Ids>, // its types are narrower
  )
  const { isAsking, repeat, answer } = useQuestion()
  const cancel = useCallback((): void => {
    reset()
    answer(false)
  }, [reset, answer])
  useEffect(() => {
    if (!isAsking) return
    let asked: number | undefined
    return client.onSession((session) => {
      asked ??= session?.user.id
      if (!session || session.user.id !== asked) cancel()
    })
  }, [isAsking, client, cancel])
  const confirmBy = async (call: Confirmation): Promise<void> => {
    const { ok } = await run(call)
    if (ok) answer(true)
  }
  const confirm = (password: string, code?: string): Promise<void> => {
    const body: Body<'reauthenticate'> = { method: 'password', password, ...(code !== undefined && { code }) }
    return confirmBy(() => client.auth.reauthenticate(body))
  }
  const confirmWithPasskey = passkeys && (() => confirmBy(() => passkeys.reauthenticate()))
  const form = isAsking
    ? props.prompt({ confirm, confirmWithPasskey, cancel, pending, error, fields, message })
    : undefined
  return createElement(Reauthentication.Provider, { value: repeat }, props.children, form)
}

function useQuestion(): { isAsking: boolean; repeat: Repeat; answer: Question['answer'] } {
  const [isAsking, setAsking] = useState(false)
  const question = useRef<Question | undefined>(undefined)
  const confirmations = useRef(0)

  const answer = useCallback((isConfirmed: boolean) => {
    if (isConfirmed) confirmations.current += 1
    question.current?.answer(isConfirmed)
    question.current = undefined
    setAsking(false)
  }, [])
  useEffect(() => () => answer(false), [answer])

  const repeat = useCallback<Repeat>(async (call) => {
    const before = confirmations.current
    const result = await call()
    if (result.ok || result.error.word !== 'reauthentication_required') return result
    // another call may have asked since this one was sent
    if (confirmations.current > before) return call()
    question.current ??= createQuestion()
    setAsking(true)
    return (await question.current.answered) ? call() : result
  }, [])
  return { isAsking, repeat, answer }
}

function createQuestion(): Question {
  let answer: Question['answer'] = () => undefined
  const answered = new Promise<boolean>((resolve) => (answer = resolve))
  return { answered, answer }
}
