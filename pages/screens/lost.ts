// A user who has lost the device and the recovery codes resets the second factors.
import type { Body } from '@tawthiq/sdk'
import { factors } from '../client.ts'
import { h } from '../dom.ts'
import { field } from '../fields.ts'
import { formatDate, text } from '../language.ts'
import { announce, leave } from '../render.ts'
import { withSteps } from '../steps.ts'
import { actionForm, notice } from '../submit.ts'
import { codeField } from './phone-step.ts'

export function lostPage(): Node[] {
  const request = async (body: Body<'requestFactorReset'>): Promise<void> => {
    const { token } = await factors.requestReset(body)
    steps.show(() => [notice(text('factorLinkSent')), ...(token === null ? [] : confirmForm(token, true))])
  }
  const requestForm = (): HTMLElement =>
    actionForm(
      request,
      text('send'),
      field({ name: 'email', type: 'email', autocomplete: 'username' }),
      field({ name: 'password', type: 'password', autocomplete: 'current-password' }),
    )
  const steps = withSteps(h('div', { class: 'step', id: 'lost-step' }), () => [requestForm()])
  return [h('h1', {}, text('lost')), h('p', { class: 'lead' }, text('lostHint')), steps.place]
}

/** Confirms a reset with the link of an e-mail, and the code of an SMS unless it did not arrive. */
export function confirmResetPage(token: string): Node[] {
  return [h('h1', {}, text('lost')), ...confirmForm(token, false)]
}

function confirmForm(token: string, needsCode: boolean): Node[] {
  const confirm = async ({ otp }: { otp: string }): Promise<void> => {
    const { reset_at: resetAt } = await factors.confirmReset({ token, ...(otp !== '' && { otp }) })
    announce(`${text('factorResetConfirmed')} ${formatDate(resetAt)}.`)
    leave('login')
  }
  const hint = h('p', { class: 'lead' }, text(needsCode ? 'factorCodeAloneHint' : 'factorCodeHint'))
  return [hint, actionForm(confirm, text('confirm'), codeField('otp', needsCode))]
}
