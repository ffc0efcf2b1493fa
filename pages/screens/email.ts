// The e-mail address of the account: its verification by code, and its change.
import type { Body } from '@tawthiq/sdk'
import { confirmed, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { badge, field } from '../fields.ts'
import { text } from '../language.ts'
import { announce, render } from '../render.ts'
import { actionButton, actionForm } from '../submit.ts'
import { codeField } from './phone-step.ts'
import type { User } from './profile.ts'

export function emailSection(user: User): HTMLElement {
  const { email, email_verified: isVerified, pending_email: pending } = user
  const isWaiting = pending !== null || !isVerified
  return h(
    'section',
    { class: 'group', id: 'email-section' },
    h('h2', {}, text('email')),
    address(email, isVerified ? 'verified' : 'unverified'),
    pending === null ? null : address(pending, 'pending'),
    isWaiting ? confirmation(pending ?? email) : null,
    isWaiting ? messageActions(pending) : null,
    change(user),
  )
}

function address(email: string, state: 'verified' | 'unverified' | 'pending'): HTMLElement {
  return h('p', { class: 'address' }, h('bdi', { dir: 'ltr' }, email), badge(state))
}

function confirmation(email: string): HTMLElement {
  const confirm = async (body: { code: string }): Promise<void> => {
    await tawthiq.auth.confirmEmail({ by: 'code', ...body })
    await show('emailConfirmed')
  }
  const hint = h('p', {}, `${text('emailCodeHint')} `, h('bdi', { dir: 'ltr' }, email))
  return actionForm(confirm, text('confirm'), hint, codeField('code'))
}

/** Sends the message again, or cancels the change that it would confirm. */
function messageActions(pending: string | null): HTMLElement {
  const send = async (): Promise<void> => {
    await tawthiq.auth.verifyEmail(pending === null ? {} : { email: pending })
    await show('emailSent')
  }
  const cancel = async (): Promise<void> => {
    await tawthiq.auth.cancelEmailChange()
    await show('changeCancelled')
  }
  return h(
    'div',
    { class: 'actions' },
    actionButton(text('sendAgain'), send, 'quiet'),
    pending === null ? null : actionButton(text('cancelChange'), cancel, 'quiet'),
  )
}

function change({ profile_complete: isComplete }: User): HTMLElement {
  if (!isComplete) return h('p', {}, h('a', { href: '#profile' }, text('incomplete')))
  const save = async (body: Body<'patchProfile'>): Promise<void> => {
    await confirmed(() => tawthiq.profile.patch(body))
    await show('saved')
  }
  const input = field({ name: 'email', label: text('new_email'), type: 'email', autocomplete: 'email' })
  return h('details', {}, h('summary', {}, text('changeEmail')), actionForm(save, text('save'), input))
}

async function show(message: 'emailConfirmed' | 'emailSent' | 'changeCancelled' | 'saved'): Promise<void> {
  announce(text(message))
  await render()
}
