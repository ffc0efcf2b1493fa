// The profile form of a lawyer who has not completed it: one group of fields after the other.
import type { TawthiqError } from '@tawthiq/sdk'
import type { FormGroup, ProfileForm } from '@tawthiq/sdk/forms'
import { h } from '../dom.ts'
import { text } from '../language.ts'
import { keptAs } from '../steps.ts'
import { actionForm } from '../submit.ts'
import { formGroups } from './profile-fields.ts'

/** Shows the groups of a form as steps. The last step saves, and a step with an error ends there. */
export function profileSteps(form: ProfileForm, save: () => Promise<void>, bar: HTMLElement): HTMLElement {
  const reached = keptAs<number>('profile step')
  let current = reached.value ?? 0
  const groups = formGroups(form)
  const list = h('ol', { class: 'steps', 'aria-label': text('steps') })
  const back = h('button', { type: 'button', class: 'quiet', click: () => go(current - 1) }, text('back'))
  const element = actionForm(next, text('nextStep'), list, groups, bar, back)
  element.classList.add('stepwise')

  const steps = (): FormGroup[] => form.get().groups.filter(({ fields }) => fields.length > 0)
  const isLast = (): boolean => current === steps().length - 1

  function show(): void {
    const shown = steps()[current]
    form
      .get()
      .groups.forEach(({ name }, index) => groups.children[index]?.toggleAttribute('hidden', name !== shown?.name))
    list.replaceChildren(...steps().map(({ title }, index) => h('li', {}, labelOf(title, index))))
    back.hidden = current === 0
    element.lastElementChild?.replaceChildren(text(isLast() ? 'save' : 'nextStep'))
  }
  function labelOf(title: string, index: number): HTMLElement {
    if (index < current) return h('button', { type: 'button', click: () => go(index) }, h('span', {}, title))
    return h('span', index === current ? { 'aria-current': 'step', tabindex: -1 } : {}, h('span', {}, title))
  }
  function go(step: number): void {
    current = step
    reached.keep(step)
    show()
    list.querySelector<HTMLElement>('[aria-current]')?.focus()
  }
  /** Returns the first step with an error; -1 if there is none. */
  function failingStep(errors: object): number {
    const names = Object.keys(errors).map((path) => path.split('.')[0])
    return steps().findIndex(({ fields }) => fields.some(({ name }) => names.includes(name)))
  }
  async function next(): Promise<void> {
    const failing = failingStep(form.validate())
    if (!isLast() && (failing < 0 || failing > current)) go(current + 1)
    else
      await save().catch((error: unknown) => {
        const step = failingStep((error as TawthiqError).fields)
        if (step >= 0 && step !== current) go(step)
        throw error
      })
  }
  form.subscribe(show)
  return element
}
