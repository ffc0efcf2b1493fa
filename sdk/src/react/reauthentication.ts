import { createElement, useCallback, useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react'
import type { Tawthiq } from '../client.ts'
import type { TawthiqError } from '../errors.ts'
import { Reauthentication, type Repeat } from './context.ts'
import { useOperation } from './operation.ts'

export type PasswordPrompt = {
  /** Reauthenticates with the password of the user, and repeats the calls that required it. */
  confirm: (password: string) => Promise<void>
  /** Returns the original error to the calls. */
  cancel: () => void
  pending: boolean
  /** The error of the last password */
  error: TawthiqError<'reauthenticate'> | undefined
}

export type ReauthenticationProviderProps = {
  client: { auth: Pick<Tawthiq['auth'], 'reauthenticate'> }
  /** Renders the form that asks for the password, after the children, while calls require it. */
  prompt: (prompt: PasswordPrompt) => ReactNode
  children?: ReactNode
}

type Question = { answered: Promise<boolean>; answer: (isConfirmed: boolean) => void }

/** Asks for the password once when runs of `useOperation` fail with `reauthentication_required`, and repeats them. */
export function ReauthenticationProvider(props: ReauthenticationProviderProps): ReactElement {
  const { pending, error, run, reset } = useOperation(props.client.auth.reauthenticate)
  const { isAsking, repeat, answer } = useQuestion()
  const cancel = (): void => {
    reset()
    answer(false)
  }
  const confirm = async (password: string): Promise<void> => {
    const { ok } = await run({ method: 'password', password })
    if (ok) answer(true)
  }
  const form = isAsking ? props.prompt({ confirm, cancel, pending, error }) : undefined
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
