import type { Schemas } from '@tawthiq/sdk'
import { confirmed, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { text } from '../language.ts'
import { announce, render } from '../render.ts'
import { actionForm, notice } from '../submit.ts'
import { clientGroups, commonGroups, lawyerGroups } from './profile-groups.ts'
import { followChoices } from './profile-choices.ts'

export type User = Schemas['ClientProfile'] | Schemas['LawyerProfile']

export async function profilePage(): Promise<Node[]> {
  const [{ user }, lookups] = await Promise.all([tawthiq.profile.get(), tawthiq.lookups.all()])
  const own = user.account_type === 'client' ? clientGroups(user) : lawyerGroups(user, lookups)
  const { identity, contact, address, files } = commonGroups(user, lookups)
  const bar = h('progress', { max: 1, value: 0, hidden: true })
  const form = actionForm(
    (form) => save(form, bar),
    text('save'),
    h('input', { type: 'hidden', name: 'account_type', value: user.account_type }),
    identity(own.identity),
    contact,
    address,
    ...own.groups,
    files(own.files),
    bar,
  )
  await followChoices(form, user, lookups)
  return [h('h1', {}, text('profile')), ...stateOf(user), form]
}

/** Sends the form as the browser encodes it: the names of its inputs are the names of the fields. */
async function save(form: HTMLFormElement, bar: HTMLProgressElement): Promise<void> {
  const content = new FormData(form)
  if (!content.has('sections') && form.querySelector('[name=sections]')) content.set('sections', '') // none is checked
  const onProgress = ({ loaded, total }: { loaded: number; total: number }): void => {
    bar.hidden = loaded === total
    bar.value = loaded / total
  }
  await confirmed(() => tawthiq.profile.update(content, { onProgress }))
  announce(text('saved'))
  await render()
}

function stateOf(user: User): Node[] {
  const review = user.account_type === 'lawyer' && user.profile_complete ? user.review_status : null
  return [
    ...(user.profile_complete ? [] : [notice(text('incomplete'), 'bad')]),
    ...(review ? [notice(text(`review_${review}`), review === 'rejected' ? 'bad' : 'good')] : []),
  ]
}
