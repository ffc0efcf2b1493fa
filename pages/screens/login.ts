import type { Body } from '@tawthiq/sdk'
import { passkeys, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { field } from '../fields.ts'
import { text } from '../language.ts'
import { hasPasskeys, returnAddress } from '../settings.ts'
import { actionButton, actionForm } from '../submit.ts'
import { factorCodeField } from './phone-step.ts'

/** Asks for the e-mail address and the password, and for a code if the account has a second factor. */
export function loginPage(): Node[] {
  const lost = h('p', {}, h('a', { href: '#lost' }, text('lostDevice')))
  const code = h('div', { class: 'step', hidden: true }, factorCodeField(), lost)
  const form = actionForm(
    logIn,
    text('login'),
    field({ name: 'email', type: 'email', autocomplete: 'username' }),
    field({ name: 'password', type: 'password', autocomplete: 'current-password' }),
    code,
  )
  return [
    h('h1', {}, text('login')),
    h('p', { class: 'lead' }, text('tagline')),
    hasPasskeys ? h('div', { class: 'group' }, form, passkeyButton()) : form,
    h(
      'p',
      { class: 'links' },
      h('a', { href: '#reset' }, text('forgot')),
      h('span', {}, `${text('noAccount')} `, h('a', { href: '#register' }, text('register'))),
    ),
  ]

  function passkeyButton(): HTMLElement {
    return actionButton(text('passkeyLogin'), () => passkeys.login().then(goBack), 'quiet wide')
  }

  async function logIn(body: Body<'login'>): Promise<void> {
    const result = await tawthiq.auth.login(body).result()
    if (result.ok) goBack()
    else if (result.error.code !== 'mfa_required') throw result.error
    else {
      code.hidden = false
      code.querySelector('input')?.focus()
    }
  }
}

/** Leads to the page that has sent the user here to log in. */
function goBack(): void {
  const address = returnAddress()
  if (address !== undefined) location.assign(address)
}
