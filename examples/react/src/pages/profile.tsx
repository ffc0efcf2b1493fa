import type { FieldError } from '@tawthiq/sdk'
import { profileForm, type FormField, type ProfileForm } from '@tawthiq/sdk/forms'
import { useOperation } from '@tawthiq/sdk/react'
import { useState, useSyncExternalStore } from 'react'
import { tawthiq } from '../client.ts'
import { texts } from '../texts.ts'
import { Form, Labelled } from '../ui.tsx'

type Errors = Partial<Record<string, FieldError[]>>

export function Profile() {
  const [form] = useState(() => profileForm(tawthiq))
  const { error, groups } = useSyncExternalStore(form.subscribe, form.get)
  const { run, data, fields, ...state } = useOperation(form.save)
  if (groups.length === 0) return <p role="status">{error?.message ?? texts.loading}</p>
  return (
    <>
      <h1>{texts.profile}</h1>
      {error && <p role="alert">{error.message}</p>}
      {data && <p role="status">{texts.saved}</p>}
      <Form state={state} action={texts.save} onSubmit={(event) => (event.preventDefault(), run())}>
        {groups.map(({ name, title, fields: shown }) => (
          <fieldset key={name}>
            <legend>{title}</legend>
            {shown.map((field) => (
              <Control key={field.name} field={field} set={form.set} errors={fields} />
            ))}
          </fieldset>
        ))}
      </Form>
    </>
  )
}

type ControlProps = { field: FormField; set: ProfileForm['set']; errors: Errors }

function Control({ field, set, errors }: ControlProps) {
  const { name, label, hint, required } = field
  if (field.kind === 'map') return <Entries field={field} set={set} errors={errors} />
  return (
    <Labelled id={name} label={label} hint={hint} required={required} errors={errors[name]}>
      <Value field={field} set={(value) => set(name, value)} isWrong={name in errors} />
    </Labelled>
  )
}

/** A text for each of the chosen options. */
function Entries({ field: { name, label, value, options }, set, errors }: ControlProps) {
  const texts = (value ?? {}) as Record<string, string>
  return options.map(({ value: key, label: option }) => {
    const path = `${name}.${key}`
    return (
      <Labelled key={path} id={path} label={`${label}: ${option}`} errors={errors[path]} required>
        <input id={path} value={texts[key] ?? ''} onChange={({ target }) => set(path, target.value)} />
      </Labelled>
    )
  })
}

type ValueProps = { field: FormField; set: (value: unknown) => void; isWrong: boolean }

function Value({ field, set, isWrong }: ValueProps) {
  const { name, kind, options, accept, link, maxLength, multiline } = field
  const value = (field.value ?? '') as string
  const shared = { id: name, 'aria-invalid': isWrong }
  if (kind === 'choices') return <Choices field={field} set={set} />
  if (kind === 'choice')
    return (
      <select {...shared} value={value} onChange={({ target }) => set(target.value)}>
        <option value="">{texts.choose}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  if (kind === 'file')
    return (
      <>
        <input {...shared} type="file" accept={accept} onChange={({ target }) => set(target.files?.[0])} />
        {link && <a href={tawthiq.files.url(link)}>{texts.show_file}</a>}
      </>
    )
  if (multiline)
    return <textarea {...shared} value={value} maxLength={maxLength} onChange={({ target }) => set(target.value)} />
  const type = kind === 'number' ? 'text' : kind
  return <input {...shared} type={type} dir="auto" value={value} onChange={({ target }) => set(target.value)} />
}

function Choices({ field: { value, options }, set }: Pick<ValueProps, 'field' | 'set'>) {
  const chosen = (value ?? []) as unknown[]
  const toggle = (option: unknown) =>
    set(chosen.includes(option) ? chosen.filter((each) => each !== option) : [...chosen, option])
  return options.map((option) => (
    <label key={option.value}>
      <input
        type="checkbox"
        value={option.value}
        checked={chosen.includes(option.value)}
        onChange={() => toggle(option.value)}
      />
      {option.label}
    </label>
  ))
}
