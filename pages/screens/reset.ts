import { challenged } from '../challenge.ts'
import { tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { dependentFields, field, selectField } from '../fields.ts'
import { text } from '../language.ts'
import { leave, openLink } from '../render.ts'
import { withSteps } from '../steps.ts'
import { actionButton, actionForm, notice } from '../submit.ts'
import { codeField, phoneFields, type Phone } from './phone-step.ts'

type Identifier = { by: 'email'; email: string } | ({ by: 'phone' } & Phone)

/** Asks for a link by e-mail, or for a code to the phone number, with which this page sets the password. */
export function resetPage(): Node[] {
  const send = async (identifier: Identifier): Promise<void> => {
    await challenged((solution) => tawthiq.auth.forgotPassword({ ...identifier, ...solution }))
    if (identifier.by === 'email') steps.show(() => [notice(text('linkRequested'))])
    else steps.show(() => [notice(text('codeRequested')), byCode(identifier)])
  }
  const steps = withSteps(h('div', { class: 'step', id: 'reset-step' }), () => {
    const by = selectField('by', [choiceOf('email'), choiceOf('phone')], 'email')
    const fields = dependentFields(by, (chosen) =>
      chosen === 'phone' ? phoneFields() : [field({ name: 'email', type: 'email', autocomplete: 'username' })],
    )
    return [actionForm(send, text('send'), by, fields)]
  })
  const undo = h('p', { class: 'links' }, h('a', { href: '#undo' }, text('hasUndoCode')))
  return [h('h1', {}, text('reset')), h('p', { class: 'lead' }, text('resetHint')), steps.place, undo]
}

function byCode(phone: { by: 'phone' } & Phone): HTMLElement {
  const set = async (body: { otp: string; password: string }): Promise<void> => {
    await tawthiq.auth.resetPassword({ ...phone, ...body })
    leave('login', 'passwordChanged')
  }
  return actionForm(set, text('setPassword'), codeField(), passwordField())
}

/** Sets the password with the link of an e-mail. An address that was never verified also needs a code by SMS. */
export function newPasswordPage(token: string): Node[] {
  const again = actionButton(text('sendAgain'), sendAgain, 'quiet')
  const code = h('div', { class: 'step', hidden: true }, h('p', {}, text('codeNeeded')), codeField(), again)
  const form = actionForm(set, text('setPassword'), passwordField(), code)
  const release = h('button', { class: 'quiet', click: () => openLink({ action: 'release', token }) }, text('release'))
  return [
    h('h1', {}, text('reset')),
    h('p', { class: 'lead' }, text('linkHint')),
    form,
    h('p', { class: 'links' }, h('span', {}, text('notMine')), release),
  ]

  async function set(body: { password: string; otp?: string }): Promise<void> {
    const result = await tawthiq.auth.resetPassword({ by: 'email', token, ...body }).result()
    if (result.ok) leave('login', 'passwordChanged')
    else if (result.error.fields.otp?.[0]?.code !== 'required') throw result.error
    else {
      code.hidden = false
      code.querySelector('input')?.focus()
    }
  }

  /** Without a code, the service sends another one. */
  async function sendAgain(): Promise<void> {
    const input = code.querySelector('input')
    if (input) input.value = ''
    form.requestSubmit()
  }
}

function choiceOf(value: 'email' | 'phone'): { value: string; label: string } {
  return { value, label: text(value) }
}

function passwordField(): HTMLElement {
  return field({ name: 'password', label: text('new_password'), type: 'password', autocomplete: 'new-password' })
}
