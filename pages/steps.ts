// What a page keeps when it is shown in the other language: the step that was reached, and what is filled in.
import type { Child } from './dom.ts'

type Step = () => Child[]
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const values = new Map<string, unknown>()
let visits = 0

/** Lets the next page start from its beginning. What responses to an earlier page lead to is not shown on it. */
export function beginVisit(): void {
  visits++
  values.clear()
}

/** Returns what was kept under a name since the page was opened, and how to keep another value as long as it is shown. */
export function keptAs<Value>(name: string): { value: Value | undefined; keep: (value: Value) => boolean } {
  const visit = visits
  return {
    value: values.get(name) as Value | undefined, // each name is used with one type
    keep(value) {
      if (visit === visits) values.set(name, value)
      return visit === visits
    },
  }
}

/** Makes a part of a page with its first step, or the one that was reached. Returns it, and how to show another step. */
export function withSteps(place: HTMLElement, first: Step): { place: HTMLElement; show: (step: Step) => void } {
  const { value, keep } = keptAs<Step>(place.id)
  const fill = (element: HTMLElement | null, step: Step): void =>
    element?.replaceChildren(...step().filter((child) => child !== null))
  fill(place, value ?? first)
  return { place, show: (step) => keep(step) && fill(document.getElementById(place.id), step) }
}

/** Returns a function that fills in again what is filled in now. */
export function keepInput(page: HTMLElement): () => void {
  const controls = (): Control[] => [...page.querySelectorAll<Control>('input, select, textarea')]
  const details = (): HTMLDetailsElement[] => [...page.querySelectorAll('details')]
  const like = ({ name, type, value }: Control): Control[] =>
    controls().filter((other) => other.name === name && (type !== 'checkbox' || other.value === value))
  const filled = controls().map((control) => ({ control, index: like(control).indexOf(control) }))
  const opened = details().map(({ open }) => open)
  return () => {
    details().forEach((element, index) => (element.open = opened[index] ?? false))
    for (const { control, index } of filled) copyInput(control, like(control)[index])
  }
}

/** Fills in a control as the user has filled in another. A code that the page has yet to ask for is left out. */
function copyInput(from: Control, to: Control | undefined): void {
  if (!to || to.closest('.step[hidden]') || contentOf(from) === contentOf(to)) return
  const before = to.value
  if (to instanceof HTMLInputElement && from instanceof HTMLInputElement) {
    to.checked = from.checked
    if (from.type === 'file') to.files = from.files
  }
  if (from.type !== 'file') to.value = from.value
  if (to instanceof HTMLSelectElement && to.selectedIndex < 0)
    to.value = before // the list lacks the option yet
  else for (const name of ['input', 'change']) to.dispatchEvent(new Event(name, { bubbles: true }))
}

function contentOf(control: Control): string {
  return control instanceof HTMLInputElement ? `${control.value} ${String(control.checked)}` : control.value
}
