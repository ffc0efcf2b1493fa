import type { Body } from '@tawthiq/sdk'
import { saveDownload } from '@tawthiq/sdk/web'
import { confirmed, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { field } from '../fields.ts'
import { formatDate, text } from '../language.ts'
import { announce, render } from '../render.ts'
import { actionButton, actionForm, notice } from '../submit.ts'
import { emailSection } from './email.ts'
import { factorsSection } from './factors.ts'
import { phoneSection } from './phone.ts'

export async function accountPage(): Promise<Node[]> {
  const [{ user }, factors] = await Promise.all([tawthiq.profile.get(), factorsSection()])
  const due = user.deletion_due_at
  const deletion = due ? cancelDeletion(due) : requestDeletion()
  return [
    h('h1', {}, text('account')),
    emailSection(user),
    phoneSection(user),
    factors,
    section('export', h('p', {}, text('exportHint')), actionButton(text('download'), exportData, 'quiet')),
    section('deletion', h('p', {}, text('deletionHint')), ...deletion),
  ]
}

function section(name: 'export' | 'deletion', ...content: Node[]): HTMLElement {
  return h('section', { class: `group ${name}` }, h('h2', {}, text(name)), ...content)
}

async function exportData(): Promise<void> {
  saveDownload(await confirmed(() => tawthiq.account.export()))
}

function requestDeletion(): Node[] {
  const form = actionForm(
    async (body: Body<'requestAccountDeletion'>) => {
      const { deletion_due_at } = await confirmed(() => tawthiq.account.requestDeletion(body))
      announce(`${text('deleted')} ${formatDate(deletion_due_at)}.`)
      await render()
    },
    text('requestDeletion'),
    field({ name: 'password', type: 'password', autocomplete: 'current-password' }),
  )
  form.querySelector('button')?.classList.add('danger')
  return [form]
}

function cancelDeletion(due: string): Node[] {
  const cancel = async (): Promise<void> => {
    await tawthiq.account.cancelDeletion()
    await render()
  }
  return [notice(`${text('deletionDue')} ${formatDate(due)}.`, 'bad'), actionButton(text('cancelDeletion'), cancel)]
}
