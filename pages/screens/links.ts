// The pages that e-mails link to. Nothing happens before the user presses the button, because mail scanners open links.
import type { EmailLink } from '@tawthiq/sdk/web'
import { factors, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { text, type Text } from '../language.ts'
import { leave, type Page } from '../render.ts'
import { actionForm } from '../submit.ts'
import { confirmResetPage } from './lost.ts'
import { newPasswordPage } from './reset.ts'

/** Where the user goes after a link was used, and what is said there */
type Outcome = [page: 'account' | 'login' | 'register' | 'reset', message: Text]

/** The links of e-mails; the page of a reset also leads to `release`. */
export type Link = Omit<EmailLink, 'action'> & { action: EmailLink['action'] | 'release' }

export function linkPage({ action, token }: Link): Page {
  switch (action) {
    case 'reset':
      return () => newPasswordPage(token)
    case 'confirm':
      return askPage('confirm', async () => {
        await tawthiq.auth.confirmEmail({ by: 'token', token })
        return ['account', 'emailConfirmed']
      })
    case 'cancel':
      return askPage('cancel', async () => {
        const { undone } = await tawthiq.auth.cancelEmailChange({ token })
        return undone ? ['login', 'changeUndone'] : ['account', 'changeCancelled']
      })
    case 'confirm-factor-reset':
      return () => confirmResetPage(token)
    case 'cancel-factor-reset':
      return askPage('keep', async () => {
        await factors.cancelReset({ token })
        return ['reset', 'factorResetCancelled']
      })
    case 'release':
      return askPage('release', async () => {
        await tawthiq.auth.releaseEmail({ token })
        return ['register', 'emailReleased']
      })
  }
}

/** A page that explains what a link does, with a button. */
function askPage(name: 'confirm' | 'cancel' | 'keep' | 'release', use: () => Promise<Outcome>): Page {
  const act = async (): Promise<void> => leave(...(await use()))
  return () => [
    h('h1', {}, text(`link_${name}`)),
    actionForm(act, text(`link_${name}_button`), h('p', {}, text(`link_${name}_hint`))),
  ]
}
