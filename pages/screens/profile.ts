import type { Schemas } from '@tawthiq/sdk'
import { profileForm, type ProfileForm } from '@tawthiq/sdk/forms'
import { confirmed, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { text } from '../language.ts'
import { announce, render } from '../render.ts'
import { keptAs } from '../steps.ts'
import { actionForm, notice } from '../submit.ts'
import { formGroups } from './profile-fields.ts'
import { profileSteps } from './profile-steps.ts'

export type User = Schemas['UserProfile']

export async function profilePage(): Promise<Node[]> {
  const former = keptAs<ProfileForm>('profile form')
  const form = profileForm(tawthiq)
  const user = await userOf(form)
  if (former.value?.get().user?.id === user.id) copyValues(former.value, form)
  former.keep(form)
  const bar = h('progress', { max: 1, value: 0, hidden: true })
  const save = async (): Promise<void> => {
    const onProgress = ({ loaded, total }: { loaded: number; total: number }): void => {
      bar.hidden = loaded === total
      bar.value = loaded / total
    }
    await confirmed(() => form.save({ onProgress }))
    announce(text('saved'))
    await render()
  }
  const isLong = user.account_type === 'lawyer' && !user.profile_complete
  const fields = isLong ? profileSteps(form, save, bar) : actionForm(save, text('save'), formGroups(form), bar)
  return [h('h1', {}, text('profile')), ...stateOf(user), fields]
}

function copyValues(from: ProfileForm, to: ProfileForm): void {
  const valuesOf = (form: ProfileForm): [string, unknown][] =>
    form.get().groups.flatMap(({ fields }) => fields.map(({ name, value }) => [name, value] as [string, unknown]))
  const present = new Map(valuesOf(to))
  for (const [name, value] of valuesOf(from)) if (value !== present.get(name)) to.set(name, value)
}

/** Resolves to the stored profile when the form has read it. */
function userOf(form: ProfileForm): Promise<User> {
  return new Promise((resolve, reject) => {
    form.subscribe(({ user, error }) => {
      if (user) resolve(user)
      else if (error) reject(error)
    })
  })
}

function stateOf(user: User): Node[] {
  const review = user.account_type === 'lawyer' && user.profile_complete ? user.review_status : null
  return [
    ...(user.profile_complete ? [] : [notice(text('incomplete'), 'waiting')]),
    ...(review ? [notice([text(`review_${review}`), ...reasonOf(user)].join(' '), REVIEW_KINDS[review])] : []),
  ]
}

const REVIEW_KINDS = { pending: 'waiting', approved: 'good', rejected: 'bad' } as const

function reasonOf(user: User): string[] {
  const reason = user.account_type === 'lawyer' ? user.review_reason : null
  return reason === null ? [] : [`${text('reason')}: ${reason}`]
}
