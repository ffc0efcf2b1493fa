// Buttons and forms that make calls and show how they end.
import type { TawthiqError } from '@tawthiq/sdk'
import { bodyOf } from '@tawthiq/sdk/forms'
import { h } from './dom.ts'
import { text } from './language.ts'

/** Runs an action when a form is submitted or a button is clicked, and shows its error in `place`. */
export async function run(place: HTMLElement, action: () => Promise<unknown>): Promise<void> {
  const buttons = place.querySelectorAll('button')
  clearErrors(place)
  buttons.forEach((button) => (button.disabled = true))
  try {
    await action()
  } catch (error) {
    showError(place, error as TawthiqError)
  } finally {
    buttons.forEach((button) => (button.disabled = false))
  }
}

/** Makes a form whose submission runs an action with what is filled in, which the service validates. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the action says what it takes
export function actionForm<Body>(
  action: (body: Body) => Promise<unknown>,
  label: string,
  ...content: (Node | null)[]
): HTMLFormElement {
  const form: HTMLFormElement = h('form', { novalidate: true, submit: onSubmit }, ...content, h('button', {}, label))
  function onSubmit(event: Event): void {
    const body = bodyOf<Body>(event)
    void run(form, () => action(body))
  }
  return form
}

/** Makes a button that runs an action. */
export function actionButton(label: string, action: () => Promise<unknown>, style = ''): HTMLElement {
  const place = h('div', { class: 'action' })
  place.append(h('button', { type: 'button', class: style, click: () => void run(place, action) }, label))
  return place
}

export function notice(message: string, kind: 'good' | 'bad' | 'waiting' = 'good'): HTMLElement {
  return h('p', { class: `notice ${kind}`, role: kind === 'bad' ? 'alert' : 'status' }, message)
}

function clearErrors(place: HTMLElement): void {
  place.querySelectorAll('.notice, .error').forEach((element) => element.remove())
  place.querySelectorAll('[aria-invalid]').forEach((element) => element.removeAttribute('aria-invalid'))
}

/** Shows the errors of fields at them, and all else above the button. */
function showError(place: HTMLElement, { code, message, fields }: TawthiqError): void {
  const others: string[] = []
  for (const [name, errors] of Object.entries(fields)) {
    const field = place.querySelector(`[data-field="${CSS.escape(name)}"]`)
    const sentence = errors.map(({ text }) => text).join(' ')
    if (!field) others.push(sentence)
    else {
      field.append(h('p', { class: 'error' }, sentence))
      const input = field.querySelector<HTMLElement>('input, select, textarea')
      input?.setAttribute('aria-invalid', 'true')
    }
  }
  const marked = place.querySelector<HTMLElement>('[aria-invalid]')
  marked?.focus()
  const sentences = marked ? [text('checkFields'), ...others] : others
  const summary = code === 'invalid_data' ? sentences.join(' ') : message
  const shown = notice(summary, 'bad')
  const button = [...place.querySelectorAll('button')].at(-1)
  if (button?.parentElement === place) button.before(shown)
  else place.append(shown)
}
