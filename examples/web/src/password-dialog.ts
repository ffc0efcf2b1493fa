import { bodyOf } from '@tawthiq/sdk/forms'
import { h } from './dom.ts'
import { field } from './fields.ts'
import { text } from './language.ts'
import { factorCodeField } from './pages/phone-step.ts'

/** What proves who the user is */
export type Proof = { password: string; code?: string }

/**
 * Asks for the password.
 *
 * @param given an earlier answer to which a code is missing, which is then asked for as well
 * @returns null if the user cancels
 */
export function askPassword(given?: Proof): Promise<Proof | null> {
  let proof: Proof | null = null
  const submit = (event: Event): void => {
    proof = bodyOf(event)
    dialog.close()
  }
  const form = h(
    'form',
    { submit },
    h('h2', {}, text('passwordNeeded')),
    field({ name: 'password', type: 'password', value: given?.password, autocomplete: 'current-password' }),
    given ? factorCodeField() : null,
    h(
      'div',
      { class: 'actions' },
      h('button', { value: 'confirm' }, text('confirm')),
      h('button', { type: 'button', class: 'quiet', click: () => dialog.close() }, text('cancel')),
    ),
  )
  const dialog = h('dialog', {}, form)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(proof)
    }),
  )
}
