// The phone number of the account, and its change.
import type { Body } from '@tawthiq/sdk'
import { confirmed, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { badge } from '../fields.ts'
import { text } from '../language.ts'
import { announce, render } from '../render.ts'
import { phoneStep } from './phone-step.ts'
import type { User } from './profile.ts'

export function phoneSection(user: User): HTMLElement {
  const number = h('bdi', { dir: 'ltr' }, `+${user.phone_code} ${user.phone}`)
  const change = async (given: Body<'patchProfile'>): Promise<void> => {
    await confirmed(() => tawthiq.profile.patch(given))
    announce(text('phoneChanged'))
    await render()
  }
  return h(
    'section',
    { class: 'group', id: 'phone-section' },
    h('h2', {}, text('phone')),
    h('p', { class: 'address' }, number, badge(user.phone_verified ? 'verified' : 'unverified')),
    user.profile_complete ? h('details', {}, h('summary', {}, text('changePhone')), phoneStep(change)) : null,
  )
}
