import type { Body } from '@tawthiq/sdk'
import { tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { dependentFields, field, selectField } from '../fields.ts'
import { text } from '../language.ts'
import { actionForm, notice } from '../submit.ts'
import { channelField, codeField, describeSent, phoneFields, type Channel, type Phone } from './phone-step.ts'

/** Registration in three steps: phone number, code, details. */
export function registerPage(): Node[] {
  const step = h('div', { id: 'step' })
  const show = (...content: Node[]): void => step.replaceChildren(...content)
  const heading = [h('h1', {}, text('register')), h('p', { class: 'lead' }, text('registerHint'))]

  const askCode = async ({ channel, ...phone }: Phone & { channel: Channel }): Promise<void> => {
    const { response } = await tawthiq.auth.checkPhone({ ...phone, channel }).withResponse()
    const confirm = actionForm(
      async ({ otp }: { otp: string }) => {
        await tawthiq.auth.confirmPhone({ ...phone, otp })
        askDetails({ ...phone, otp })
      },
      text('confirm'),
      codeField(),
    )
    show(notice(describeSent(channel, response)), confirm)
  }

  const askDetails = (verified: Phone & { otp: string }): void => {
    const type = selectField(
      'account_type',
      ['client', 'lawyer'].map((value) => ({ value, label: text(value as 'client') })),
      'client',
    )
    const register = actionForm(
      (details: Body<'register'>) => tawthiq.auth.register({ ...details, ...verified }),
      text('register'),
      type,
      dependentFields(type, nameFields),
      field({ name: 'email', type: 'email', autocomplete: 'username' }),
      field({ name: 'password', type: 'password', autocomplete: 'new-password' }),
    )
    show(notice(text('phoneConfirmed')), register)
  }

  show(actionForm(askCode, text('sendCode'), ...phoneFields(), channelField()))
  const login = h('a', { href: '#login' }, text('login'))
  return [...heading, step, h('p', { class: 'links' }, h('span', {}, `${text('haveAccount')} `, login))]
}

function nameFields(accountType: string): HTMLElement[] {
  if (accountType === 'client') return [field({ name: 'name', autocomplete: 'name' })]
  return ['first_name', 'second_name', 'third_name', 'fourth_name'].map((name) =>
    field({ name, required: name !== 'third_name' }),
  )
}
