// Labelled fields.
import { h } from './dom.ts'
import { text, type Text } from './language.ts'

export type Choice = { value: string | number; name: string }

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

export function field({ name, label, type = 'text', value, required = true, ...rest }: Input): HTMLElement {
  const dir = LEFT_TO_RIGHT.includes(type) ? 'ltr' : 'auto'
  return labelled(name, label, h('input', { id: name, name, type, required, dir, value, ...rest }), required)
}

export function longField(name: string, value: string | null | undefined): HTMLElement {
  return labelled(name, undefined, h('textarea', { id: name, name, rows: 4, required: true, dir: 'auto' }, value ?? ''))
}

export function fileField(name: string, accept: string, current: Node | null, required = false): HTMLElement {
  const input = labelled(name, undefined, h('input', { id: name, name, type: 'file', accept }), required)
  if (current) input.append(current)
  return input
}

export function selectField(name: string, choices: Choice[], chosen: unknown): HTMLElement {
  const select = h('select', { id: name, name, required: true })
  fillChoices(select, choices, chosen)
  return labelled(name, undefined, select)
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
export function fillChoices(select: HTMLSelectElement, choices: Choice[], chosen: unknown): void {
  const options = choices.map(({ value, name }) => h('option', { value, selected: value === chosen }, name))
  select.replaceChildren(h('option', { value: '' }, text('choose')), ...options)
}

/** A list of checkboxes, with the chosen ones first. `more` adds something to each of them. */
export function checkField(
  name: string,
  choices: Choice[],
  chosen: readonly unknown[],
  more: (choice: Choice) => Node | null = () => null,
): HTMLElement {
  const first = (choice: Choice): number => (chosen.includes(choice.value) ? 0 : 1)
  const ordered = [...choices].sort((a, b) => first(a) - first(b))
  const boxes = ordered.map((choice) => {
    const box = h('input', { type: 'checkbox', name, value: choice.value, checked: chosen.includes(choice.value) })
    return h('div', { class: 'check' }, h('label', {}, box, choice.name), more(choice))
  })
  return h('fieldset', { class: 'checks', 'data-field': name }, h('legend', {}, text(name as Text)), ...boxes)
}

export function group(title: Text, ...fields: (HTMLElement | null)[]): HTMLElement {
  return h('section', { class: 'group', id: title }, h('h2', {}, text(title)), h('div', { class: 'fields' }, ...fields))
}

function labelled(name: string, label: string | undefined, input: HTMLElement, required = true): HTMLElement {
  const mark = required ? null : h('span', { class: 'optional' }, ` (${text('optional')})`)
  return h(
    'div',
    { class: 'field', 'data-field': name.replace(/\[(.+)\]/, '.$1') },
    h('label', { for: name }, label ?? text(name as Text), mark),
    input,
  )
}
