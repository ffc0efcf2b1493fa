import { bodyOf, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { field } from '../fields.ts'
import { text } from '../language.ts'
import { actionForm, notice } from '../submit.ts'
import { codeField, phoneFields, type Phone } from './phone-step.ts'

/** Password reset: by a code to the phone number, or with the token of a link in an e-mail. */
export function resetPage(token: string | null): Node[] {
  const step = h('div', { id: 'step' })
  const show = (...content: Node[]): void => step.replaceChildren(...content)
  const password = field({
    name: 'password',
    label: text('new_password'),
    type: 'password',
    autocomplete: 'new-password',
  })
  const done = (): void => show(notice(text('passwordChanged')), h('a', { href: '#login' }, text('login')))

  const askCode = async (phone: Phone): Promise<void> => {
    await tawthiq.auth.forgotPassword({ by: 'phone', ...phone })
    const set = async (form: HTMLFormElement): Promise<void> => {
      const given = bodyOf<{ otp: string; password: string }>(form)
      await tawthiq.auth.resetPassword({ by: 'phone', ...phone, ...given })
      done()
    }
    show(notice(text('codeSent')), actionForm(set, text('setPassword'), codeField(), password))
  }
  const useToken = async (form: HTMLFormElement): Promise<void> => {
    await tawthiq.auth.resetPassword({ by: 'email', token: token ?? '', ...bodyOf<{ password: string }>(form) })
    done()
  }

  if (token !== null) show(actionForm(useToken, text('setPassword'), password))
  else show(actionForm((form) => askCode(bodyOf(form)), text('sendCode'), ...phoneFields()))
  return [h('h1', {}, text('reset')), h('p', { class: 'lead' }, text('resetHint')), step]
}
