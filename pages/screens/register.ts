import type { Body } from '@tawthiq/sdk'
import { tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { dependentFields, field, selectField } from '../fields.ts'
import { text } from '../language.ts'
import { withSteps } from '../steps.ts'
import { actionForm, notice } from '../submit.ts'
import { phoneStep, type Phone } from './phone-step.ts'

/** Registration in three steps: phone number, code, details. */
export function registerPage(): Node[] {
  const confirm = async (verified: Phone & { otp: string }): Promise<void> => {
    await tawthiq.auth.confirmPhone(verified)
    steps.show(() => [notice(text('phoneConfirmed')), detailsForm(verified)])
  }
  const steps = withSteps(h('div', { class: 'step', id: 'register-step' }), () => [phoneStep(confirm)])
  const login = h('a', { href: '#login' }, text('login'))
  return [
    h('h1', {}, text('register')),
    h('p', { class: 'lead' }, text('registerHint')),
    steps.place,
    h('p', { class: 'links' }, h('span', {}, `${text('haveAccount')} `, login)),
  ]
}

function detailsForm(verified: Phone & { otp: string }): HTMLElement {
  const choices = (['client', 'lawyer'] as const).map((value) => ({ value, label: text(value) }))
  const type = selectField('account_type', choices, 'client')
  return actionForm(
    (details: Body<'register'>) => tawthiq.auth.register({ ...details, ...verified }),
    text('register'),
    type,
    dependentFields(type, nameFields),
    field({ name: 'email', type: 'email', autocomplete: 'username' }),
    field({ name: 'password', type: 'password', autocomplete: 'new-password' }),
  )
}

function nameFields(accountType: string): HTMLElement[] {
  if (accountType === 'client') return [field({ name: 'name', autocomplete: 'name' })]
  return ['first_name', 'second_name', 'third_name', 'fourth_name'].map((name) =>
    field({ name, required: name !== 'third_name' }),
  )
}
