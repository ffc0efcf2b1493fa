import { confirmed, tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { formatDate, text } from '../language.ts'
import { render } from '../render.ts'
import { actionButton } from '../submit.ts'

export async function sessionsPage(): Promise<Node[]> {
  const { items } = await tawthiq.sessions.list()
  const rows = items.map(({ id, device, address, last_used_at, current }) =>
    h(
      'li',
      {},
      h(
        'div',
        {},
        h('strong', { dir: 'auto' }, device ?? text('unknownDevice')),
        current ? h('span', { class: 'badge' }, text('thisDevice')) : null,
        h('p', {}, h('bdi', { dir: 'ltr' }, address), ` · ${text('lastUsed')}: ${formatDate(last_used_at)}`),
      ),
      current ? null : actionButton(text('revoke'), () => revoke(id), 'quiet'),
    ),
  )
  const others = actionButton(text('revokeOthers'), revokeOthers, 'quiet')
  return [h('h1', {}, text('sessions')), h('ul', { class: 'list' }, ...rows), items.length > 1 ? others : h('span')]
}

async function revoke(id: string): Promise<void> {
  await confirmed(() => tawthiq.sessions.revoke(id))
  await render()
}

async function revokeOthers(): Promise<void> {
  await confirmed(() => tawthiq.sessions.revokeOthers())
  await render()
}
