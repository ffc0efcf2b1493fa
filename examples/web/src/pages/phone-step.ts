import { field, selectField } from '../fields.ts'
import { text } from '../language.ts'

export type Phone = { phone_code: string; phone: string }

/** How a code reaches the number */
export type Channel = 'sms' | 'whatsapp' | 'voice'
const CHANNELS: readonly Channel[] = ['sms', 'whatsapp', 'voice']

export function phoneFields(): HTMLElement[] {
  return [
    field({ name: 'phone_code', type: 'tel', value: '966', autocomplete: 'tel-country-code' }),
    field({ name: 'phone', type: 'tel', autocomplete: 'tel-national', placeholder: '05xxxxxxxx' }),
  ]
}

export function channelField(): HTMLElement {
  const choices = CHANNELS.map((value) => ({ value, label: text(value) }))
  return selectField('channel', choices, 'sms')
}

/** Describes how a code was sent, which can differ from what was requested. */
export function describeSent(requested: Channel, { headers }: Response): string {
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
