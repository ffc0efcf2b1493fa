import type { Schemas } from '@tawthiq/sdk'
import { profileForm, type ProfileForm } from '@tawthiq/sdk/forms'
import { confirmed, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { text } from '../language.ts'
import { announce, render } from '../render.ts'
import { actionForm, notice } from '../submit.ts'
import { formGroups } from './profile-fields.ts'
import { firstStep, profileSteps } from './profile-steps.ts'

export type User = Schemas['UserProfile']

/** The form that was shown last, whose values the same one in the other language takes over */
let former: ProfileForm | undefined

export async function profilePage(isKept: boolean): Promise<Node[]> {
  const form = profileForm(tawthiq)
  const user = await userOf(form)
  if (!isKept) firstStep()
  else for (const { name, value } of former?.get().groups.flatMap(({ fields }) => fields) ?? []) form.set(name, value)
  former = form
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
