import { bodyOf, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { field } from '../fields.ts'
import { text } from '../language.ts'
import { actionForm } from '../submit.ts'

export function loginPage(): Node[] {
  return [
    h('h1', {}, text('login')),
    h('p', { class: 'lead' }, text('tagline')),
    actionForm(
      (form) => tawthiq.auth.login(bodyOf(form)),
      text('login'),
      field({ name: 'email', type: 'email', autocomplete: 'username' }),
      field({ name: 'password', type: 'password', autocomplete: 'current-password' }),
    ),
    h(
      'p',
      { class: 'links' },
      h('a', { href: '#reset' }, text('forgot')),
      h('span', {}, `${text('noAccount')} `, h('a', { href: '#register' }, text('register'))),
    ),
  ]
}
