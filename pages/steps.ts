// What a page keeps when it is shown in the other language: the step that was reached, and what is filled in.
import type { Child } from './dom.ts'

type Step = () => Child[]
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The steps that were reached on the page, by the id of the element that contains them */
const reached = new Map<string, Step>()

/** Shows the step that was reached in an element, or the first one. */
export function withSteps(place: HTMLElement, first: Step): HTMLElement {
  fill(place, reached.get(place.id) ?? first)
  return place
}

/** Shows another step in the element with this id, unless the user has left the page. */
export function showStep(id: string, step: Step): void {
  const place = document.getElementById(id)
  if (!place) return
  reached.set(id, step)
  fill(place, step)
}

function fill(place: HTMLElement, step: Step): void {
  place.replaceChildren(...step().filter((child) => child !== null))
}

/** Lets the next page begin with its first steps. */
export function forgetSteps(): void {
  reached.clear()
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

/** Fills in a control as the user has filled in another. */
function copyInput(from: Control, to: Control | undefined): void {
  if (!to || contentOf(from) === contentOf(to)) return
  if (to instanceof HTMLInputElement && from instanceof HTMLInputElement) {
    to.checked = from.checked
    if (from.type === 'file') to.files = from.files
  }
  if (from.type !== 'file') to.value = from.value
  if (contentOf(from) !== contentOf(to)) return // a list without the option
  for (const name of ['input', 'change']) to.dispatchEvent(new Event(name, { bubbles: true }))
}

function contentOf(control: Control): string {
  return control instanceof HTMLInputElement ? `${control.value} ${String(control.checked)}` : control.value
}
