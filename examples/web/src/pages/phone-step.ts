import { field } from '../fields.ts'

export type Phone = { phone_code: string; phone: string }

export function phoneFields(): HTMLElement[] {
  return [
    field({ name: 'phone_code', type: 'tel', value: '966', autocomplete: 'tel-country-code' }),
    field({ name: 'phone', type: 'tel', autocomplete: 'tel-national', placeholder: '05xxxxxxxx' }),
  ]
}

export function codeField(): HTMLElement {
  return field({ name: 'otp', type: 'tel', inputmode: 'numeric', maxlength: 6, autocomplete: 'one-time-code' })
}
