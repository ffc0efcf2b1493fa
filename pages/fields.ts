// Labelled fields.
import { h } from './dom.ts'
import { text, type Text } from './language.ts'

export type Choice = { value: string | number; label: string }

type Input = {
  name: string
  label?: string
  type?: string
  value?: string | number | null | undefined
  required?: boolean
  autocomplete?: string
  [attribute: string]: string | number | boolean | null | undefined
}

/** Fields whose content is not in the language of the page */
const LEFT_TO_RIGHT = ['email', 'password', 'tel', 'number']

export function field({
  name,
  label = text(name as Text),
  type = 'text',
  value,
  required = true,
  ...rest
}: Input): HTMLElement {
  const dir = LEFT_TO_RIGHT.includes(type) ? 'ltr' : 'auto'
  return labelled({ name, label, required }, h('input', { id: name, name, type, required, dir, value, ...rest }))
}

export function selectField(name: string, choices: Choice[], chosen: unknown): HTMLElement {
  const select = h('select', { id: name, name, required: true })
  fillChoices(select, choices, chosen)
  return labelled({ name, label: text(name as Text), required: true }, select)
}

/** The fields that a choice needs, which change with it */
export function dependentFields(choice: HTMLElement, fieldsOf: (chosen: string) => HTMLElement[]): HTMLElement {
  const fields = h('div', { class: 'fields' })
  const show = (): void => fields.replaceChildren(...fieldsOf(choice.querySelector('select')?.value ?? ''))
  choice.addEventListener('change', show)
  show()
  return fields
}

/** Replaces the choices of a list, with what is chosen if it is among them. */
export function fillChoices(select: HTMLSelectElement, choices: readonly Choice[], chosen: unknown): void {
  const options = choices.map(({ value, label }) =>
    h('option', { value, selected: String(value) === String(chosen) }, label),
  )
  select.replaceChildren(h('option', { value: '' }, text('choose')), ...options)
}

export function checkBox(name: string, { value, label }: Choice, checked: boolean): HTMLElement {
  const box = h('input', { type: 'checkbox', name, value, checked })
  return h('div', { class: 'check' }, h('label', {}, box, label))
}

/** Says whether an address or a number is confirmed. */
export function badge(state: 'verified' | 'unverified' | 'pending'): HTMLElement {
  return h('span', { class: `badge ${state}` }, text(`state_${state}`))
}

type Labels = { name: string; label: string; hint?: string | undefined; required: boolean; isWide?: boolean }

/** Adds a label to an input, whose id is the name of the field. */
export function labelled({ name, label, hint, required, isWide }: Labels, input: HTMLElement): HTMLElement {
  const mark = required ? null : h('span', { class: 'optional' }, ` (${text('optional')})`)
  return h(
    'div',
    { class: isWide ? 'field wide' : 'field', 'data-field': name },
    h('label', { for: name }, label, mark),
    input,
    hint === undefined ? null : h('p', { class: 'hint' }, hint),
  )
}
