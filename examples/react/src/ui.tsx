import type { FieldError } from '@tawthiq/sdk'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { texts } from './texts.ts'

type InputProps = ComponentProps<'input'> & { name: string; label?: string; errors?: FieldError[] | undefined }

export function Input({ name, id = name, label = texts[name as keyof typeof texts], errors, ...rest }: InputProps) {
  return (
    <Labelled id={id} label={label} errors={errors} required={rest.required}>
      <input id={id} name={name} dir="auto" aria-invalid={errors !== undefined} {...rest} />
    </Labelled>
  )
}

type LabelledProps = {
  id: string
  label: string
  hint?: string | undefined
  required?: boolean | undefined
  errors?: FieldError[] | undefined
  children: ReactNode
}

/** A label and a control, with the errors of its field. */
export function Labelled({ id, label, hint, required, errors, children }: LabelledProps) {
  return (
    <div data-field={id}>
      <label htmlFor={id}>
        {label} {required && <abbr title={texts.required}>*</abbr>}
      </label>
      {children}
      {hint && <small>{hint}</small>}
      {errors && <p role="alert">{errors.map(({ text }) => text).join(' ')}</p>}
    </div>
  )
}

type FormProps = Omit<ComponentProps<'form'>, 'action'> & {
  state: { pending: boolean; message: string | undefined }
  action: string
}

/** A form that shows how its operation runs. */
export function Form({ state: { pending, message }, action, children, ...rest }: FormProps) {
  return (
    <form noValidate {...rest}>
      {children}
      {message && <p role="alert">{message}</p>}
      <button disabled={pending}>{action}</button>
    </form>
  )
}

type SecondFactorProps = { error: { code: string } | undefined; errors: FieldError[] | undefined }

/** The field for a code of a second factor, from the time that the account requires one. */
export function SecondFactor({ error, errors }: SecondFactorProps) {
  const [isAsked, ask] = useState(false)
  if (error?.code === 'mfa_required' && !isAsked) ask(true)
  return (
    isAsked && (
      <Input name="code" id="factor-code" label={texts.factor_code} autoComplete="one-time-code" errors={errors} />
    )
  )
}
