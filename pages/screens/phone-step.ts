import { challenged } from '../challenge.ts'
import { tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { field, selectField } from '../fields.ts'
import { text } from '../language.ts'
import { withSteps } from '../steps.ts'
import { actionForm, notice } from '../submit.ts'

export type Phone = { phone_code: string; phone: string }

/** How a code reaches the number */
type Channel = 'sms' | 'whatsapp' | 'voice'
const CHANNELS: readonly Channel[] = ['sms', 'whatsapp', 'voice']

/** Asks for a number, sends a code to it, and uses the code that the user enters. */
export function phoneStep(use: (given: Phone & { otp: string }) => Promise<unknown>): HTMLElement {
  const askCode = async ({ channel, ...phone }: Phone & { channel: Channel }): Promise<void> => {
    const { response } = await challenged((solution) => tawthiq.auth.checkPhone({ ...phone, channel, ...solution }))
    const confirm = ({ otp }: { otp: string }): Promise<unknown> => use({ ...phone, otp })
    steps.show(() => [notice(describeSent(channel, response)), actionForm(confirm, text('confirm'), codeField())])
  }
  const steps = withSteps(h('div', { class: 'step', id: 'phone-step' }), () => [
    actionForm(askCode, text('sendCode'), ...phoneFields(), channelField()),
  ])
  return steps.place
}

export function phoneFields(): HTMLElement[] {
  return [
    h(
      'div',
      { class: 'phone' },
      field({ name: 'phone_code', type: 'tel', value: '966', autocomplete: 'tel-country-code' }),
      field({ name: 'phone', type: 'tel', autocomplete: 'tel-national', placeholder: '05xxxxxxxx' }),
    ),
  ]
}

function channelField(): HTMLElement {
  const choices = CHANNELS.map((value) => ({ value, label: text(value) }))
  return selectField('channel', choices, 'sms')
}

/** Describes how a code was sent, which can differ from what was requested. */
function describeSent(requested: Channel, { headers }: Response): string {
  const used = CHANNELS.find((channel) => channel === headers.get('code-channel')) ?? requested
  return used === requested ? text(`sent_${used}`) : `${text('sentOtherwise')} ${text(`sent_${used}`)}`
}

/** A code of an authenticator app, or a recovery code */
export function factorCodeField(): HTMLElement {
  return field({ name: 'code', label: text('factorCode'), dir: 'ltr', autocomplete: 'one-time-code' })
}

export function codeField(name: 'otp' | 'code' = 'otp', required = true): HTMLElement {
  return field({ name, required, type: 'tel', inputmode: 'numeric', maxlength: 6, autocomplete: 'one-time-code' })
}
