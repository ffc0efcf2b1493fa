import { bodyOf } from '@tawthiq/sdk/forms'
import { h } from './dom.ts'
import { field } from './fields.ts'
import { text } from './language.ts'
import { factorCodeField } from './screens/phone-step.ts'

/** What proves who the user is */
export type Proof = { password: string; code?: string }

/**
 * Asks for the password.
 *
 * @param given an earlier answer to which a code is missing, which is then asked for as well
 * @returns null if the user cancels
 */
export function askPassword(given?: Proof): Promise<Proof | null> {
  return ask<Proof>(() => [
    h('h2', {}, text('passwordNeeded')),
    field({ name: 'password', type: 'password', value: given?.password, autocomplete: 'current-password' }),
    given ? factorCodeField() : null,
  ])
}

/**
 * Asks for a code or, if it is among the methods, offers a passkey.
 *
 * @returns null if the user cancels
 */
export function askFactor(methods: readonly string[]): Promise<{ code: string } | 'passkey' | null> {
  return ask<{ code: string } | 'passkey'>((end) => [
    h('h2', {}, text('factorNeeded')),
    methods.every((method) => method === 'passkey') ? null : factorCodeField(),
    methods.includes('passkey')
      ? h('button', { type: 'button', class: 'quiet', click: () => end('passkey') }, text('usePasskey'))
      : null,
  ])
}

/** Shows a form in a dialog. Resolves to what is filled in, to what its content ends it with, or to null if the user cancels. */
export function ask<Answer>(
  content: (end: (answer: Answer) => void) => (Node | null)[],
  { hasButton = true } = {},
): Promise<Answer | null> {
  let given: Answer | null = null
  const end = (answer: Answer): void => {
    given = answer
    dialog.close()
  }
  const form = h(
    'form',
    { submit: (event: Event) => end(bodyOf(event)) },
    ...content(end),
    h(
      'div',
      { class: 'actions' },
      hasButton ? h('button', { value: 'confirm' }, text('confirm')) : null,
      h('button', { type: 'button', class: 'quiet', click: () => dialog.close() }, text('cancel')),
    ),
  )
  const dialog = h('dialog', {}, form)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(given)
    }),
  )
}
