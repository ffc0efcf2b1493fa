import { h } from './dom.ts'
import { field } from './fields.ts'
import { text } from './language.ts'

/** Asks for the password. Resolves to null if the user cancels. */
export function askPassword(): Promise<string | null> {
  const input = field({ name: 'password', type: 'password', autocomplete: 'current-password' })
  const form = h(
    'form',
    { method: 'dialog' },
    h('h2', {}, text('passwordNeeded')),
    input,
    h(
      'div',
      { class: 'actions' },
      h('button', { value: 'confirm' }, text('confirm')),
      h('button', { value: 'cancel', class: 'quiet', formnovalidate: true }, text('cancel')),
    ),
  )
  const dialog = h('dialog', {}, form)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      const password = input.querySelector('input')?.value ?? ''
      dialog.remove()
      resolve(dialog.returnValue === 'confirm' ? password : null)
    }),
  )
}
