// The owner of a phone number undoes changes that another person has made, with the code of the SMS about them.
import type { Body } from '@tawthiq/sdk'
import { tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { field } from '../fields.ts'
import { text } from '../language.ts'
import { leave } from '../render.ts'
import { actionForm } from '../submit.ts'
import { phoneFields } from './phone-step.ts'

type Undo = Omit<Extract<Body<'undoChanges'>, { by: 'phone' }>, 'by'>

export function undoPage(): Node[] {
  const undo = async (body: Undo): Promise<void> => {
    await tawthiq.auth.undo({ by: 'phone', ...body })
    leave('reset', 'changesUndone')
  }
  const code = field({ name: 'otp', label: text('undoCode'), dir: 'ltr', autocomplete: 'off' })
  const form = actionForm(undo, text('undo'), ...phoneFields(), code)
  return [h('h1', {}, text('undo')), h('p', { class: 'lead' }, text('undoHint')), form]
}
